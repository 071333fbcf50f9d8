"""All rules in one table, and the page about each: what `explain` prints and the documentation shows."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from compatgate.diff.catalogue import RULES as CHANGES
from compatgate.diff.catalogue import Rule as ChangeRule
from compatgate.rules import inputs, outputs, schemas, surface, text, tools
from compatgate.rules.annotations import RULES as HINTS
from compatgate.rules.rule import Rule

#: In the order of families, as the pages show them.
CATALOGUE: Final[tuple[Rule, ...]] = (
    *inputs.RULES,
    *schemas.RULES,
    *outputs.RULES,
    *tools.RULES,
    *text.RULES,
    *HINTS,
    *surface.RULES,
)
RULES: Final = {rule.id: rule for rule in CATALOGUE}


def explain(name: str) -> str | None:
    """Return the page about a rule as Markdown, by its id or its category; None where there is none.

    An id may name a finding of `verdict`, a change of `classify` and `gate`, or both where they are the same fact.
    """
    known = name.lower().replace("_", "-")
    finding, change = RULES.get(known), CHANGES.get(known)
    if finding is None and change is None:
        return None
    parts = [f"# {known}\n"]
    if finding is not None:
        parts.append(_finding_page(finding))
    if change is not None:
        parts.append(_change_page(change))
    return "\n".join(parts)


def near(name: str) -> str | None:
    """Return the id of a rule that is spelt much like a name; None where there is none."""
    found = get_close_matches(name.lower().replace("_", "-"), [*RULES, *CHANGES], n=1)
    return found[0] if found else None


def _finding_page(rule: Rule) -> str:
    origin = "defined by mcp-drift/1" if rule.reference else "ours, on top of mcp-drift/1"
    rows = [
        ("category", f"`{rule.category}`"),
        ("origin", origin),
        ("family", rule.family),
        ("direction", rule.direction),
        ("kind", rule.kind),
        ("severity", rule.severity),
        ("relation", rule.relation.value),
        ("opposite", f"`{rule.mirror}`" if rule.mirror else f"none: {rule.alone}"),
    ]
    return _page("As a finding of `compatgate verdict`", rule.summary, rows, rule.why, rule.sources)


def _change_page(rule: ChangeRule) -> str:
    rows = [
        ("keywords", ", ".join(f"`{word}`" for word in rule.keywords.split()) or "any"),
        ("kind", rule.kind),
        ("in an input schema", rule.input.value),
        ("in an output schema", "does not fire" if rule.scope == "input" else rule.output.value),
        ("opposite", f"`{rule.mirror}`" if rule.mirror else f"none: {rule.alone}"),
    ]
    return _page("As a change of `compatgate classify` and `compatgate gate`", rule.summary, rows, rule.why, ())


def _page(title: str, summary: str, rows: list[tuple[str, str]], why: str, sources: tuple[str, ...]) -> str:
    table = "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])
    cited = "\n\nSources: " + "; ".join(sources) + "." if sources else ""
    return f"## {title}\n\n{summary}\n\n{table}\n\n{why}{cited}\n"
