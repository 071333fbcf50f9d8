"""Find what a reference points at, inside the document it stands in; nothing is ever fetched.

Pointers into a document without identifiers are walked here. Everything else ($id, $anchor, dynamic anchors,
the published meta-schemas) is the business of the `referencing` library, imported when first needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote, urldefrag, urljoin

from compatgate.jsonio import Json
from compatgate.jsonio.pointer import escape
from compatgate.schema import dialects
from compatgate.schema.dialects import Dialect

_IDENTIFIERS = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})
_DYNAMIC = frozenset({"$dynamicRef", "$recursiveRef"})


@dataclass(frozen=True, slots=True)
class Document:
    """Name a schema: a place (`pointer`) in a whole document, against which its references resolve.

    `dialect` (a short name such as `draft-07`, or a `$schema` URI) is used where the document names none.
    """

    root: Json
    pointer: str = ""
    dialect: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Name one schema on the way through a document: where it stands and how it is to be read."""

    schema: Json
    pointer: str
    dialect: Dialect
    base: str = ""
    scope: tuple[str, ...] = ()  # the resources entered so far, outermost first (only if dynamic)
    resolver: Any = field(default=None, compare=False, repr=False)

    def below(self, *tokens: str | int) -> str:
        """Return the pointer of a part of this schema."""
        return self.pointer + "".join(f"/{escape(token)}" for token in tokens)


class UnresolvableError(Exception):
    """Report a reference that leads nowhere inside the document; `str()` says why."""


class References:
    """Resolve the references of one document."""

    def __init__(self, document: Document) -> None:
        self._root = document.root
        self._found = _identifiers(document.root)
        self._dynamic = not self._found.isdisjoint(_DYNAMIC)
        self._simple = self._found.isdisjoint(_IDENTIFIERS) and not self._dynamic
        self._registry: Any = None
        self._default = (dialects.by_name(document.dialect) if document.dialect else None) or dialects.DEFAULT

    def place(self, pointer: str) -> Place:
        """Return the place at a pointer of the document; raises UnresolvableError where there is none."""
        root = Place(self._root, "", self._dialect_of(self._root, self._default))
        if self._simple:
            return root if not pointer else self._walk(root, pointer)
        root = self._with_resolver(root)
        return root if not pointer else self.resolve(root, "#" + quote(pointer, safe="/~"))

    def child(self, place: Place, schema: Json, pointer: str) -> Place:
        """Return the place of a subschema, entering the resource that it begins if it has an identifier."""
        if place.resolver is None or not isinstance(schema, dict):
            return Place(schema, pointer, place.dialect, place.base, place.scope, place.resolver)
        inner = Place(schema, pointer, place.dialect, place.base, place.scope, place.resolver)
        identifier = schema.get(place.dialect.id_keyword)
        if not isinstance(identifier, str) or identifier.startswith("#"):
            return inner
        if place.dialect.ref_hides_siblings and "$ref" in schema:
            return inner
        dialect = self._dialect_of(schema, place.dialect)
        try:
            resolver = place.resolver.in_subresource(_specification(dialect).create_resource(schema))
        except Exception as error:
            raise UnresolvableError(f"the identifier {identifier!r} cannot be read") from error
        return self._entered(replace(inner, dialect=dialect), resolver)

    def resolve(self, place: Place, reference: str) -> Place:
        """Return the place a `$ref` points at; raises UnresolvableError."""
        if self._simple:
            if reference == "#":
                return Place(self._root, "", self._dialect_of(self._root, self._default))
            if reference.startswith("#/"):
                root = Place(self._root, "", self._dialect_of(self._root, self._default))
                return self._walk(root, unquote(reference[1:]))
            # A reference out of a plain document can only reach a published meta-schema: those are dynamic.
            self._simple, self._dynamic = False, True
        if place.resolver is None:
            place = self._with_resolver(place)
        return self._lookup(place, reference)

    def resolve_dynamic(self, place: Place, reference: str) -> Place:
        """Return the place a `$dynamicRef` points at (2020-12 core, 8.2.3.2); raises UnresolvableError."""
        target = self._lookup(place, reference)
        anchor = reference.partition("#")[2]
        if anchor.startswith("/") or not self._dynamic_anchor(target.base, anchor):
            return target
        for resource in place.scope:
            if self._dynamic_anchor(resource, anchor):
                return self._lookup(self._inside(place, resource), f"#{anchor}")
        return target

    def resolve_recursive(self, place: Place, reference: str) -> Place:
        """Return the place a `$recursiveRef` points at (2019-09 core, 8.2.4.2); raises UnresolvableError."""
        target = self._lookup(place, reference)
        if not isinstance(target.schema, dict) or target.schema.get("$recursiveAnchor") is not True:
            return target
        for resource in place.scope:
            outer = self._lookup(self._inside(place, resource), "#")
            if isinstance(outer.schema, dict) and outer.schema.get("$recursiveAnchor") is True:
                return outer
        return target

    # -- inside --------------------------------------------------------------------------------------

    def _inside(self, place: Place, resource: str) -> Place:
        """Return the place as seen from a resource: the root may have no URI, so its anchors have only fragments."""
        return replace(place, base=resource, resolver=self._registry.resolver(resource))

    def _walk(self, root: Place, pointer: str) -> Place:
        here: Json = root.schema
        for raw in pointer.split("/")[1:]:
            token = raw.replace("~1", "/").replace("~0", "~")
            if isinstance(here, dict) and token in here:
                here = here[token]
            elif isinstance(here, list) and token.isascii() and token.isdigit() and int(token) < len(here):
                here = here[int(token)]
            else:
                raise UnresolvableError(f"nothing stands at {pointer!r} in this document")
        return Place(here, pointer, root.dialect, root.base, root.scope, root.resolver)

    def _with_resolver(self, place: Place) -> Place:
        resource = _specification(self._dialect_of(self._root, self._default)).create_resource(self._root)
        if self._registry is None:
            from jsonschema_specifications import REGISTRY

            try:
                uri = resource.id() or ""
                self._registry = REGISTRY.with_resource(uri, resource).crawl()
            except Exception as error:
                raise UnresolvableError("the document's identifiers cannot be read") from error
            self._uri = uri
        scope = (self._uri,) if self._dynamic else ()
        return replace(place, base=self._uri, scope=scope, resolver=self._registry.resolver(self._uri))

    def _lookup(self, place: Place, reference: str) -> Place:
        try:
            # Asked of the resource itself: else the library follows the dynamic scope even for `$ref`.
            here: str = place.resolver._base_uri
            local = reference.startswith("#")
            uri, fragment = (here, reference[1:]) if local else urldefrag(urljoin(here, reference))
            found = self._registry.resolver(uri).lookup(f"#{fragment}")
            base: str = found.resolver._base_uri
            resource = self._registry.get(base)
        except Exception as error:
            raise UnresolvableError(f"{reference!r} is not in this document, and nothing is ever fetched") from error
        home = resource.contents if resource is not None else None
        dialect = self._dialect_of(home, place.dialect)
        pointer = unquote(reference.partition("#")[2]) if base == self._uri else reference
        return self._entered(replace(place, schema=found.contents, pointer=pointer, dialect=dialect), found.resolver)

    def _entered(self, place: Place, resolver: Any) -> Place:
        base: str = resolver._base_uri
        scope = place.scope
        if self._dynamic and base not in scope:
            scope = (*scope, base)
        return replace(place, base=base, scope=scope, resolver=resolver)

    def _dynamic_anchor(self, resource: str, anchor: str) -> bool:
        from referencing.jsonschema import DynamicAnchor

        try:
            return isinstance(self._registry.anchor(resource, anchor).value, DynamicAnchor)
        except Exception:
            return False

    @staticmethod
    def _dialect_of(schema: Json, default: Dialect) -> Dialect:
        named = dialects.by_uri(schema.get("$schema")) if isinstance(schema, dict) else None
        return named or default


def _specification(dialect: Dialect) -> Any:
    from referencing.jsonschema import specification_with

    return specification_with(dialect.uri)


def _identifiers(root: Json) -> set[str]:
    """Collect which identifying and dynamic keywords a document mentions anywhere (data included)."""
    wanted = _IDENTIFIERS | _DYNAMIC
    found: set[str] = set()
    todo: list[Json] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            found.update(wanted.intersection(value))
            todo.extend(v for v in value.values() if isinstance(v, (dict, list)))
        elif isinstance(value, list):
            todo.extend(v for v in value if isinstance(v, (dict, list)))
    return found
