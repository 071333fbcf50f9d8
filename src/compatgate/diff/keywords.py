"""What a keyword's value is: a schema, a map or list of schemas, a set, a bound, an annotation."""

from __future__ import annotations

from typing import Final

#: One schema.
SCHEMA: Final = frozenset(
    "additionalProperties additionalItems unevaluatedProperties unevaluatedItems items contains propertyNames "
    "not if then else contentSchema".split()
)
#: Schemas by name.
SCHEMA_MAP: Final = frozenset("properties patternProperties $defs definitions dependentSchemas".split())
#: Schemas whose order does not matter.
SCHEMA_SET: Final = frozenset("allOf anyOf oneOf".split())
#: Where shared definitions stand.
DEFINITIONS: Final = ("$defs", "definitions")

#: Lists that are sets of plain values.
VALUE_SET: Final = frozenset("required enum type".split())

LOWER: Final = frozenset("minimum exclusiveMinimum minLength minItems minProperties minContains".split())
UPPER: Final = frozenset("maximum exclusiveMaximum maxLength maxItems maxProperties maxContains".split())

#: Keywords that assert nothing (formats and content unless asserted on request).
ANNOTATIONS: Final = frozenset(
    "title description default examples $comment deprecated readOnly writeOnly format contentEncoding "
    "contentMediaType contentSchema $vocabulary".split()
)
TEXTS: Final = frozenset(["title", "description"])
CONTENT: Final = frozenset(["contentEncoding", "contentMediaType", "contentSchema"])
IDENTIFIERS: Final = frozenset("$id id $anchor $dynamicAnchor $recursiveAnchor".split())
REFERENCES: Final = frozenset(["$ref", "$dynamicRef", "$recursiveRef"])

#: In a document without these a subschema that accepts less makes the whole accept less: everything is
#: monotone. (`contains` is: only its counting from above is not.)
NOT_MONOTONE: Final = frozenset(
    "not oneOf if unevaluatedProperties unevaluatedItems maxContains minContains $dynamicRef $recursiveRef "
    "$dynamicAnchor $recursiveAnchor".split()
)

#: Mirrors a parameter into an HTTP header (MCP): validates nothing, changes what clients send.
HEADER: Final = "x-mcp-header"
