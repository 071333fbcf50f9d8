"""Ask a second prover for its opinion: the canonical containment of jsonschema-rs.

Only its YES counts as a proof; its NO and its silence contradict nothing. It is never asked unless someone wants to
know: it is quicker than ours, and proves four of five of the containments that ours proves, as
benchmarks.second_prover prints; but it gives no witness and has no budget, and an answer that depends on which prover
was faster is no answer.
"""

from __future__ import annotations

import jsonschema_rs

from compatgate.jsonio import Json
from compatgate.model import Relation
from compatgate.prover.engines import guarded
from compatgate.prover.places import Refused
from compatgate.schema import dialects
from compatgate.schema.references import Document

_DRAFTS = {
    "draft-04": jsonschema_rs.Draft4,
    "draft-06": jsonschema_rs.Draft6,
    "draft-07": jsonschema_rs.Draft7,
    "2019-09": jsonschema_rs.Draft201909,
    "2020-12": jsonschema_rs.Draft202012,
}


def covers(left: Document, right: Document) -> bool:
    """Tell whether the second prover proves that every value of `left` is in `right`; never raises."""
    try:
        return guarded(lambda: _canonical(right).covers(_canonical(left)) == jsonschema_rs.canonical.Containment.YES)
    except Refused:  # it has no opinion
        return False


def second_opinion(left: Json | Document, right: Json | Document, relation: Relation) -> str:
    """Say in one line what the second prover makes of an answer."""
    documents = [schema if isinstance(schema, Document) else Document(schema) for schema in (left, right)]
    yes = covers(*documents)
    if not yes:
        return "cross-check: the second prover proves nothing here"
    if relation is Relation.PROVEN_SUBSET:
        return "cross-check: the second prover proves it too"
    if relation is Relation.UNKNOWN:
        return "cross-check: the second prover proves PROVEN_SUBSET"
    return "cross-check: the second prover claims PROVEN_SUBSET against a verified witness, which stands: its bug"


def _canonical(document: Document) -> jsonschema_rs.CanonicalSchema:
    root = document.root
    if document.pointer:
        if not isinstance(root, dict):
            raise ValueError("a pointer into a document that is no object")
        root = {**root, "$ref": f"#{document.pointer}"}
    named = dialects.by_uri(root.get("$schema")) if isinstance(root, dict) else None
    dialect = named or (dialects.by_name(document.dialect) if document.dialect else None) or dialects.DEFAULT
    if not isinstance(root, (dict, bool)):
        raise ValueError("no schema")
    return jsonschema_rs.canonicalize(root, draft=_DRAFTS[dialect.name], validate_formats=False, offline=True)
