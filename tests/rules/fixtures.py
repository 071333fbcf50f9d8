"""For every rule an exchange where it fires and one close by where it must not, by the names of the exchanges."""

from __future__ import annotations

from typing import Final

from tests.verdict.suite import EXCHANGES, Exchange

_BY_NAME: Final = {f"{e.file}: {e.name}": e for e in EXCHANGES}

#: rule -> (fires here, silent here)
FIXTURES: Final[dict[str, tuple[str, str]]] = {
    "input-contract-relaxed": ("inputs: optional parameter in a closed object", "inputs: required parameter"),
    "input-contract-narrowed": ("inputs: enum loses a value", "inputs: enum gains a value"),
    "input-relation-unknown": (
        "inputs: a back-reference is not decided",
        "inputs: a broken schema that stays is silent",
    ),
    "undeclared-name-narrowing": (
        "callers: object closed, under declared",
        "callers: closed object, under declared",
    ),
    "parameter-dropped": ("security: parameter silently dropped", "inputs: closed parameter removed"),
    "parameter-renamed": ("security: parameter renamed", "security: parameter silently dropped"),
    "side-channel-parameter": ("security: a side channel", "security: a bounded note"),
    "sensitive-constraint-loosened": (
        "security: enum of a path loosened",
        "security: pattern of a url tightened",
    ),
    "mcp-header-added": ("security: x-mcp-header added", "security: x-mcp-header removed"),
    "object-opened": ("inputs: object opened", "inputs: object closed"),
    "default-changed": ("text: default inside a schema", "text: examples inside a schema"),
    "network-reference-added": ("security: a reference to the network", "inputs: a reference inlined"),
    "pattern-not-ecma-262": (
        "security: a pattern of another language",
        "inputs: a back-reference is not decided",
    ),
    "output-contract-narrowed": ("outputs: field becomes required", "outputs: field is no longer required"),
    "output-contract-widened": ("outputs: result gains an enum value", "outputs: result loses an enum value"),
    "output-relation-unknown": ("outputs: output not decided", "outputs: null is no output schema"),
    "tool-removed": ("tools: tool removed", "tools: tools in another order"),
    "capability-added": ("tools: tool added", "tools: tools in another order"),
    "task-support-relaxed": (
        "tools: task support forbidden to optional",
        "tools: task support optional to required",
    ),
    "task-support-incompatible": ("tools: task support optional to forbidden", "tools: the default spelt out"),
    "protocol-feature-gone": (
        "tools: task support where the revision does not define it",
        "tools: the default hidden by the revision",
    ),
    "lookalike-tool-name": (
        "security: a Cyrillic letter in a name",
        "security: a singular beside a plural is no look-alike",
    ),
    "model-or-ui-metadata-changed": ("text: description changed", "text: empty _meta is none"),
    "opaque-metadata-changed": ("text: _meta changed", "text: empty _meta is none"),
    "icon-surface-changed": ("text: icon added", "text: icons in another order"),
    "active-icon-surface-added": ("text: an SVG is new, inline", "text: an SVG that was there"),
    "hidden-characters-added": (
        "security: zero width in a description",
        "security: an emoji with joiner and selector",
    ),
    "model-directed-text-added": ("security: one sign in a text", "security: words that were there"),
    "read-only-weakened": ("annotations: read-only deleted", "annotations: read-only declared"),
    "open-world-expanded": ("annotations: closed world deleted", "annotations: closed world declared"),
    "destructive-risk-increased": (
        "annotations: destructive now",
        "annotations: destructive now, but it only reads",
    ),
    "idempotency-weakened": (
        "annotations: not idempotent any more",
        "annotations: not idempotent, but it only reads",
    ),
    "annotation-changed": (
        "annotations: an annotation that MCP does not know",
        "annotations: all hints spelt out as their defaults",
    ),
    "prompt-removed": ("surface: prompt removed", "surface: surface is not asked for"),
    "prompt-added": ("surface: prompt added", "surface: a list that only one side recorded"),
    "prompt-changed": ("surface: prompt description changed", "surface: optional prompt argument added"),
    "prompt-argument-required": (
        "surface: prompt argument made required",
        "surface: optional prompt argument added",
    ),
    "prompt-argument-relaxed": (
        "surface: prompt argument no longer needed",
        "surface: required prompt argument added",
    ),
    "prompt-argument-removed": ("surface: prompt argument removed", "surface: prompt argument described otherwise"),
    "prompt-argument-described": (
        "surface: prompt argument described otherwise",
        "surface: prompt argument made required",
    ),
    "resource-removed": ("surface: resource removed", "surface: resource type changed"),
    "resource-added": ("surface: resource added", "surface: resource type changed"),
    "resource-changed": ("surface: resource type changed", "surface: resource contents are not declared"),
    "resource-template-removed": ("surface: template removed", "surface: template changed"),
    "resource-template-added": ("surface: template added", "surface: template changed"),
    "resource-template-changed": ("surface: template changed", "surface: template added"),
    "instructions-changed": ("surface: instructions changed", "surface: another version"),
    "server-info-changed": ("surface: another name", "surface: instructions changed"),
    "server-capability-withdrawn": ("surface: capability withdrawn", "surface: capability declared"),
    "server-capability-declared": ("surface: capability declared", "surface: part of a capability withdrawn"),
    "protocol-version-changed": ("surface: another revision", "shapes: two revisions"),
    "surface-hidden-characters-added": ("surface: hidden in the instructions", "surface: instructions changed"),
    "surface-directed-text-added": (
        "surface: the instructions direct the model",
        "surface: instructions changed",
    ),
}


def named(name: str) -> Exchange:
    """Return an exchange by its name."""
    return _BY_NAME[name]
