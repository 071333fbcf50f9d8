"""Name what a rule is and what it finds: one row a rule, one record a finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from compatgate.jsonio import Json
from compatgate.model import ABSENT, NO_WITNESS, Absent, NoWitness, Relation

if TYPE_CHECKING:
    from compatgate.rules.context import ServerPair, ToolPair

Severity: TypeAlias = Literal["security", "breaking", "review", "info"]
Family: TypeAlias = Literal["inputs", "outputs", "tools", "text", "annotations", "surface"]
Direction: TypeAlias = Literal["input", "output", "both", "tool", "server"]
Kind: TypeAlias = Literal["relation", "contract", "text", "security", "surface"]

#: The gravest first: the order of reports.
SEVERITIES: Final[tuple[Severity, ...]] = ("security", "breaking", "review", "info")


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold what one rule found at one place.

    `path` is a JSON Pointer that begins with `/tools/NAME` (or the member of the surface). `severity` and `relation`
    are the rule's own where they are None. What stood there is told by hash: `hashed` is (before, after), each a value
    or ABSENT; `shown` is the same for values that may be told as they are (hints, never texts).
    """

    tool: str | None
    path: str
    reason: str
    severity: Severity | None = None
    relation: Relation | None = None
    hashed: tuple[Json | Absent, Json | Absent] = (ABSENT, ABSENT)
    shown: tuple[Json | Absent, Json | Absent] = (ABSENT, ABSENT)
    witness: Json | NoWitness = NO_WITNESS


ToolCheck: TypeAlias = "Callable[[ToolPair], Iterable[Finding]]"
ServerCheck: TypeAlias = "Callable[[ServerPair], Iterable[Finding]]"


@dataclass(frozen=True, slots=True)
class Rule:
    """Describe one rule and hold the function that finds what it is about.

    `mirror` is the rule of the opposite change: the rule itself where undoing it is the same kind of change, None where
    there is no opposite, and then `alone` says why. `reference` says that mcp-drift/1 defines it; the others are
    ours on top and only ever stricter. Exactly one of `tool` and `server` is set: the check of one tool as it was and
    is, or of everything a server declares.
    """

    id: str
    family: Family
    direction: Direction
    kind: Kind
    severity: Severity
    relation: Relation
    summary: str
    why: str
    sources: tuple[str, ...]
    mirror: str | None
    alone: str = ""
    reference: bool = False
    tool: ToolCheck | None = None
    server: ServerCheck | None = None

    @property
    def category(self) -> str:
        """Return the category that findings of this rule carry in mcp-drift/1."""
        return self.id.upper().replace("-", "_")


#: Where the reasons stand, in public.
SPEC_TOOLS: Final = "MCP specification 2025-11-25, server/tools"
SPEC_HINTS: Final = "MCP specification 2025-11-25, schema: ToolAnnotations"
SPEC_TASKS: Final = "MCP specification 2025-11-25, basic/utilities/tasks"
SPEC_ICONS: Final = "MCP specification 2025-11-25, schema: Icon"
SPEC_PROMPTS: Final = "MCP specification 2025-11-25, server/prompts"
SPEC_RESOURCES: Final = "MCP specification 2025-11-25, server/resources"
SPEC_LIFECYCLE: Final = "MCP specification 2025-11-25, basic/lifecycle"
SPEC_HEADERS: Final = "MCP specification 2026-07-28, basic/transports: x-mcp-header"
JSON_SCHEMA: Final = "JSON Schema 2020-12, core and validation"
CONTRACT: Final = "mcp-drift/1, the contract"
OWASP_POISONING: Final = "OWASP MCP Top 10: MCP03 Tool Poisoning"
OWASP_INJECTION: Final = "OWASP MCP Top 10: MCP06 Prompt Injection via Contextual Payloads"
OWASP_SCOPE: Final = "OWASP MCP Top 10: MCP02 Privilege Escalation via Scope Creep"
OWASP_COMMANDS: Final = "OWASP MCP Top 10: MCP05 Command Injection & Execution"
OWASP_SHARING: Final = "OWASP MCP Top 10: MCP10 Context Injection & Over-Sharing"
COSAI: Final = "CoSAI, Model Context Protocol (MCP) Security, 2026"
SAFE_POISONING: Final = "SAFE-MCP: SAFE-T1001 Tool Poisoning Attack"
SAFE_RUG_PULL: Final = "SAFE-MCP: SAFE-T1201 MCP Rug Pull Attack"
SAFE_SHADOWING: Final = "SAFE-MCP: SAFE-T1301 Cross-Server Tool Shadowing"
TR36: Final = "Unicode Technical Report 36, Unicode Security Considerations"
UTS39: Final = "Unicode Technical Standard 39, Unicode Security Mechanisms"
