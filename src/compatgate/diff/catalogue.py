"""The rules of changes as rows: what `explain` prints, what the docs show, what a change's rule id means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from compatgate.model import Impact

Kind: TypeAlias = Literal["narrowing", "widening", "either", "spelling", "annotation", "surface", "verdict"]
Scope: TypeAlias = Literal["schema", "input", "tool"]


@dataclass(frozen=True, slots=True)
class Rule:
    """Describe one rule.

    `scope` is where it can fire: in both kinds of schema, in input schemas only, or on a tool as a whole.
    `input` and `output` are the impact to expect where nothing else is known; the prover decides in the end (a
    narrowing that rejects nothing new is COMPATIBLE). `mirror` is the rule of the opposite edit: the rule itself
    where undoing it is the same kind of edit, None where there is no opposite (`alone` says why).
    """

    id: str
    keywords: str
    scope: Scope
    kind: Kind
    input: Impact
    output: Impact
    summary: str
    why: str
    mirror: str | None
    alone: str = ""


_OK, _RISK, _BREAK, _UNKNOWN = Impact.COMPATIBLE, Impact.RISKY, Impact.BREAKING, Impact.UNKNOWN
_CALLS = "Callers that send what was valid before get their call rejected"
_RESULTS = "readers that validate results by the old schema reject what the server may now send"


def _pair(
    narrowing: str, widening: str, keywords: str, narrow_text: str, wide_text: str, why: str
) -> tuple[Rule, Rule]:
    return (
        Rule(narrowing, keywords, "schema", "narrowing", _BREAK, _OK, narrow_text, f"{_CALLS}: {why}", widening),
        Rule(
            widening, keywords, "schema", "widening", _OK, _BREAK, wide_text,
            f"In an output, {_RESULTS}: {why}", narrowing,
        ),
    )  # fmt: skip


def _either(rule: str, keywords: str, text: str, why: str) -> Rule:
    return Rule(rule, keywords, "schema", "either", _BREAK, _BREAK, text, why, rule)


def _note(rule: str, keywords: str, impact: Impact, text: str, why: str) -> Rule:
    return Rule(rule, keywords, "schema", "annotation", impact, impact, text, why, rule)


def _spelling(rule: str, keywords: str, text: str, mirror: str | None = None) -> Rule:
    why = "The byte pin sees another text; the accepted values are the same."
    return Rule(rule, keywords, "schema", "spelling", _OK, _OK, text, why, mirror or rule)


_ROWS: Final = (
    *_pair(
        "required-added", "required-removed", "required", "A member became required.",
        "A member is no longer required.", "those who leave the member out.",
    ),
    *_pair(
        "type-narrowed", "type-widened", "type", "A type is no longer accepted.", "Another type is accepted.",
        "every value of that type.",
    ),
    *_pair(
        "enum-value-removed", "enum-value-added", "enum", "Values were taken out of an enumeration.",
        "Values were added to an enumeration.", "those values, word for word.",
    ),
    *_pair(
        "enum-added", "enum-removed", "enum", "Only listed values are accepted now.",
        "The list of accepted values was dropped.", "every value that is not on the list.",
    ),
    *_pair(
        "const-added", "const-removed", "const", "Only one value is accepted now.",
        "The single accepted value was dropped.", "every other value.",
    ),
    *_pair(
        "bound-tightened", "bound-loosened",
        "minimum exclusiveMinimum maximum exclusiveMaximum minLength maxLength minItems maxItems minProperties "
        "maxProperties minContains maxContains",
        "A limit became tighter.", "A limit became looser.", "values between the old limit and the new one.",
    ),
    *_pair(
        "pattern-added", "pattern-removed", "pattern", "Strings have to match a pattern now.",
        "Strings no longer have to match a pattern.", "strings that the pattern does not match.",
    ),
    *_pair(
        "multiple-of-added", "multiple-of-removed", "multipleOf", "Numbers have to be multiples now.",
        "Numbers no longer have to be multiples.", "numbers in between.",
    ),
    *_pair(
        "unique-items-added", "unique-items-removed", "uniqueItems", "Items may not repeat any more.",
        "Items may repeat.", "lists with an item twice.",
    ),
    *_pair(
        "object-closed", "object-opened", "additionalProperties unevaluatedProperties",
        "An open object was closed: names that are not declared are rejected.",
        "A closed object was opened: names that are not declared are accepted.",
        "members under names that were never declared (models and wrappers do invent and pass on such names).",
    ),
    *_pair(
        "constraint-added", "constraint-removed",
        "items contains propertyNames not if then else allOf anyOf oneOf additionalItems unevaluatedItems",
        "A condition was added.", "A condition was dropped.", "values that do not meet it.",
    ),
    *_pair(
        "alternative-removed", "alternative-added", "anyOf oneOf", "An alternative was taken away.",
        "An alternative was added.", "values that only that alternative admits.",
    ),
    *_pair(
        "conjunct-added", "conjunct-removed", "allOf", "One more schema has to be met.",
        "One schema less has to be met.", "values that do not meet it.",
    ),
    *_pair(
        "dependency-added", "dependency-removed", "dependentRequired dependentSchemas dependencies",
        "The presence of one member now demands something.", "The presence of one member demands nothing any more.",
        "objects with that member and without what it demands.",
    ),
    Rule(
        "property-added", "properties", "schema", "either", _OK, _OK, "A property is declared that was not before.",
        "Where the object was open, callers may already have sent that name with another meaning; where it was "
        "closed, only the new name is accepted on top.", "property-removed",
    ),
    Rule(
        "property-removed", "properties", "schema", "either", _BREAK, _OK, "A property is no longer declared.",
        "In a closed object, calls that send it are rejected.", "property-added",
    ),
    Rule(
        "property-dropped", "properties", "input", "either", _RISK, _OK,
        "A declared parameter is gone and the object is open.",
        "Old calls still validate and the argument is silently ignored: the call does something else than asked.",
        None, "in the other direction nothing is ignored that was not ignored before",
    ),
    Rule(
        "property-renamed", "properties", "input", "either", _RISK, _OK,
        "A parameter is gone and one with a similar name and schema came.",
        "Old calls still validate, the argument under the old name is silently ignored.", "property-renamed",
    ),
    Rule(
        "pattern-property-added", "patternProperties", "schema", "either", _BREAK, _BREAK,
        "Members whose names match a pattern have a schema now.",
        "Values under those names that were free before may be rejected.", "pattern-property-removed",
    ),
    Rule(
        "pattern-property-removed", "patternProperties", "schema", "either", _BREAK, _BREAK,
        "Members whose names match a pattern no longer have a schema.",
        "In a closed object those names are rejected.", "pattern-property-added",
    ),
    _either("type-changed", "type", "Types were exchanged.", "Values of the old type are rejected."),
    _either("enum-changed", "enum", "An enumeration was exchanged as a whole.", "The old values may be gone."),
    _either("const-changed", "const", "The single accepted value was exchanged.", "The old value is rejected."),
    _either("bound-changed", "minimum maximum", "A limit changed its kind.", "The dialect decides what passes."),
    _either("pattern-changed", "pattern", "A pattern was exchanged.", "Strings of the old one may not match."),
    _either("multiple-of-changed", "multipleOf", "The divisor was exchanged.", "Multiples of the old may be none now."),
    _either(
        "map-values-changed", "additionalProperties unevaluatedProperties",
        "What members under further names have to be was changed.", "Values under free names may be rejected.",
    ),
    _either("constraint-changed", "items not allOf anyOf oneOf", "A condition was exchanged.", "It may ask for more."),
    _either("dependency-changed", "dependencies", "What a member demands was changed.", "Old objects may lack it."),
    _either("reference-changed", "$ref", "A reference points elsewhere.", "Another definition may ask for more."),
    _either("dialect-changed", "$schema", "Another dialect is named.", "Keywords may mean something else."),
    _either("identifier-changed", "$id $anchor", "An identifier was changed.", "References may lead elsewhere."),
    _either("keyword-changed", "", "A keyword that a reference points into was changed.", "It holds a schema in use."),
    _either("schema-replaced", "", "A schema was replaced as a whole.", "The new one may reject more."),
    Rule(
        "tuple-lengthened", "prefixItems items", "schema", "either", _BREAK, _BREAK,
        "More places of a list have a schema of their own.", "Items that were free there may be rejected.",
        "tuple-shortened",
    ),
    Rule(
        "tuple-shortened", "prefixItems items", "schema", "either", _BREAK, _BREAK,
        "Fewer places of a list have a schema of their own.", "Items there fall under the rule for the rest.",
        "tuple-lengthened",
    ),
    _spelling("respelt", "", "The same, written in another way."),
    _spelling("reordered", "required enum type anyOf allOf oneOf", "The same members in another order."),
    _spelling("reference-inlined", "$ref", "A reference was replaced by what it refers to.", "reference-extracted"),
    _spelling("reference-extracted", "$ref", "A schema was moved behind a reference.", "reference-inlined"),
    _spelling("definition-renamed", "$defs definitions", "A shared definition has another name."),
    _spelling("definition-added", "$defs definitions", "A shared definition came.", "definition-removed"),
    _spelling("definition-removed", "$defs definitions", "A shared definition is gone.", "definition-added"),
    _note(
        "description-changed", "description", _RISK, "A description was changed.",
        "Models read it as an instruction: the same call may now be made for another reason, or not at all.",
    ),
    _note("title-changed", "title", _RISK, "A title was changed.", "People and models choose by it."),
    _note(
        "default-changed", "default", _RISK, "A default was changed.",
        "Calls that leave the member out mean something else now.",
    ),
    _note(
        "format-changed", "format", _RISK, "A format was changed.",
        "An annotation by default, yet many servers and clients check it.",
    ),
    _note(
        "content-changed", "contentEncoding contentMediaType contentSchema", _RISK, "What a string holds was changed.",
        "An annotation by default, yet many servers and clients decode by it.",
    ),
    _note("metadata-changed", "examples $comment deprecated x-…", _OK, "Notes were changed.", "They assert nothing."),
    Rule(
        "mcp-header-added", "x-mcp-header", "schema", "annotation", _RISK, _RISK,
        "A parameter is now copied into an HTTP header.",
        "Its value becomes visible to proxies and logs on the way.", None,
        "a header that is no longer sent asks nothing of callers",
    ),
    Rule(
        "jointly-narrowed", "", "schema", "verdict", _BREAK, _BREAK,
        "Several edits break callers only together.", "Each alone is harmless; the witness shows the sum.", None,
        "a verdict on a sum of edits, not an edit",
    ),
    Rule(
        "inconclusive", "", "schema", "verdict", _UNKNOWN, _UNKNOWN, "Whether the change breaks callers is not proved.",
        "Never a guess: what cannot be decided counts as a failure until someone looked.", None,
        "a verdict on a sum of edits, not an edit",
    ),
    Rule(
        "tool-added", "", "tool", "surface", _RISK, _RISK, "A tool came.",
        "Models may choose it in place of the one they used.", "tool-removed",
    ),
    Rule(
        "tool-removed", "", "tool", "surface", _BREAK, _BREAK, "A tool is gone.",
        "Every call of it fails.", "tool-added",
    ),
    Rule(
        "tool-renamed", "name", "tool", "surface", _BREAK, _BREAK, "The tool has another name.",
        "Every call under the old name fails.", "tool-renamed",
    ),
    Rule(
        "annotations-changed", "annotations", "tool", "annotation", _RISK, _RISK, "Hints about behaviour were changed.",
        "Clients ask people, or do not, by these hints.", "annotations-changed",
    ),
    Rule(
        "execution-changed", "execution", "tool", "annotation", _RISK, _RISK, "How calls are run was changed.",
        "Clients that call the other way may be refused.", "execution-changed",
    ),
    Rule(
        "input-schema-added", "inputSchema", "tool", "narrowing", _BREAK, _OK, "Arguments have a schema now.",
        "Arguments that were free before may be rejected.", "input-schema-removed",
    ),
    Rule(
        "input-schema-removed", "inputSchema", "tool", "widening", _OK, _OK, "Arguments have no schema any more.",
        "Every object is accepted.", "input-schema-added",
    ),
    Rule(
        "output-schema-added", "outputSchema", "tool", "narrowing", _OK, _OK, "Results have a schema now.",
        "No result is sent that could not be sent before.", "output-schema-removed",
    ),
    Rule(
        "output-schema-removed", "outputSchema", "tool", "widening", _OK, _BREAK, "Results have no schema any more.",
        "An absent outputSchema accepts everything: results need not have the old shape.", "output-schema-added",
    ),
)  # fmt: skip

RULES: Final = {rule.id: rule for rule in _ROWS}
