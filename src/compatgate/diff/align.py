"""Which of the old things is which of the new: members of a list, and names that were probably renamed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher

from compatgate.canonical import value_key
from compatgate.diff.keywords import ANNOTATIONS
from compatgate.jsonio import Json

#: Pairs of members or names compared at most; beyond it only equal ones are paired. A hostile list cannot
#: cost more than this.
MAX_PAIRS = 10_000
#: Members less alike than this are an addition and a removal, not an edit.
MEMBER_LIKENESS = 0.5
#: A name less alike than this is no rename, however alike the schemas are.
NAME_LIKENESS = 0.6
#: The mean of name and schema likeness from which a rename is likely.
RENAME_LIKENESS = 0.7

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_]+")


def pair(old: Sequence[Json], new: Sequence[Json]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair the members of two lists: equal ones first, then the most alike; return pairs, removed, added (indices)."""
    waiting: dict[Hashable, list[int]] = {}
    for index, value in enumerate(old):
        waiting.setdefault(value_key(value), []).append(index)
    pairs: list[tuple[int, int]] = []
    added: list[int] = []
    for index, value in enumerate(new):
        same = waiting.get(value_key(value))
        if same:
            pairs.append((same.pop(0), index))
        else:
            added.append(index)
    removed = sorted(index for indices in waiting.values() for index in indices)
    if removed and added and len(removed) * len(added) <= MAX_PAIRS:
        scored = sorted(
            (-score, i, j) for i in removed for j in added if (score := likeness(old[i], new[j])) >= MEMBER_LIKENESS
        )
        for _, i, j in scored:
            if i in removed and j in added:
                removed.remove(i)
                added.remove(j)
                pairs.append((i, j))
    return sorted(pairs), removed, added


def likeness(left: Json, right: Json) -> float:
    """Say how alike two schemas are, from 0 to 1, by what tells members apart: type, reference, constants, names."""
    if not isinstance(left, dict) or not isinstance(right, dict):
        return 1.0 if value_key(left) == value_key(right) else 0.0
    if "$ref" in left or "$ref" in right:
        return 1.0 if left.get("$ref") == right.get("$ref") else 0.0
    if _types(left) and _types(right) and not _types(left) & _types(right):
        return 0.0
    marks_left, marks_right = _marks(left), _marks(right)
    if any(marks_left[name] != marks_right[name] for name in marks_left.keys() & marks_right.keys()):
        return 0.0  # a discriminator with another value: another member
    if marks_left and marks_left == marks_right:
        return 0.95
    score, weight = 0.0, 0.0
    for keyword, importance in (("type", 2.0), ("properties", 3.0), ("enum", 2.0), ("title", 1.0), ("items", 1.0)):
        if keyword in left or keyword in right:
            weight += importance
            score += importance * _alike(keyword, left.get(keyword), right.get(keyword))
    names = (left.keys() | right.keys()) - ANNOTATIONS - {"type", "properties", "enum", "title", "items"}
    if names:
        weight += 1.0
        equal = sum(1 for n in names if n in left and n in right and value_key(left[n]) == value_key(right[n]))
        score += equal / len(names)
    return score / weight if weight else 1.0


def renames(
    removed: Mapping[str, Json], added: Mapping[str, Json], alike: float = RENAME_LIKENESS
) -> dict[str, tuple[str, float]]:
    """Find likely renames: old name -> (new name, similarity from 0 to 1); each name is used once, the best first."""
    if not removed or not added or len(removed) * len(added) > MAX_PAIRS:
        return {}
    scored = []
    for old, old_schema in removed.items():
        for new, new_schema in added.items():
            by_name = name_likeness(old, new)
            if by_name < NAME_LIKENESS:
                continue
            score = (by_name + likeness(bare(old_schema), bare(new_schema))) / 2
            if score >= alike:
                scored.append((-score, old, new))
    found: dict[str, tuple[str, float]] = {}
    taken: set[str] = set()
    for score, old, new in sorted(scored):
        if old not in found and new not in taken:
            found[old] = (new, round(-score, 2))
            taken.add(new)
    return found


def name_likeness(left: str, right: str) -> float:
    """Say how alike two names are, from 0 to 1: by letters, and by the words they are made of, whatever the case."""
    words_left = [word.lower() for word in _WORDS.findall(left)][:20]
    words_right = [word.lower() for word in _WORDS.findall(right)][:20]
    if words_left and words_left == words_right:
        return 1.0
    letters = SequenceMatcher(None, left.lower()[:100], right.lower()[:100], autojunk=False).ratio()
    if words_left and words_right:
        shorter, longer = sorted((set(words_left), set(words_right)), key=len)
        if shorter <= longer and len("".join(shorter)) >= 3:
            return max(letters, 0.8)
    return letters


def bare(schema: Json) -> Json:
    """Return a schema without its annotations."""
    if not isinstance(schema, dict):
        return schema
    return {name: value for name, value in schema.items() if name not in ANNOTATIONS}


def _types(schema: dict[str, Json]) -> set[str]:
    kind = schema.get("type")
    found = (
        {kind}
        if isinstance(kind, str)
        else {t for t in kind if isinstance(t, str)}
        if isinstance(kind, list)
        else set()
    )
    return found | {"number"} if "integer" in found else found


def _marks(schema: dict[str, Json]) -> dict[str, Hashable]:
    """Return what tells a member of a tagged union: its own constant, and its properties that are constants."""
    marks: dict[str, Hashable] = {}
    if "const" in schema:
        marks[""] = value_key(schema["const"])
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, value in properties.items():
            if isinstance(value, dict):
                if "const" in value:
                    marks[name] = value_key(value["const"])
                elif isinstance(only := value.get("enum"), list) and len(only) == 1:
                    marks[name] = value_key(only[0])
    return marks


def _alike(keyword: str, left: Json, right: Json) -> float:
    if value_key(left) == value_key(right):
        return 1.0
    if keyword == "type":
        return 0.5 if _types({"type": left}) & _types({"type": right}) else 0.0
    if isinstance(left, dict) and isinstance(right, dict) and keyword == "properties":
        names = left.keys() | right.keys()
        return len(left.keys() & right.keys()) / len(names) if names else 1.0
    if isinstance(left, list) and isinstance(right, list):
        keys_left, keys_right = {value_key(v) for v in left}, {value_key(v) for v in right}
        union = keys_left | keys_right
        return len(keys_left & keys_right) / len(union) if union else 1.0
    return 0.3 if isinstance(left, dict) and isinstance(right, dict) else 0.0
