"""See at a glance that two formulas of one world have no value in common.

Only a glance: a True is certain, a False says nothing. It turns a `oneOf` whose members are told apart by a type,
a constant or a required member into a plain union, which is what nearly every real `oneOf` is.
"""

from __future__ import annotations

from typing import Final

from compatgate.schema.nodes import Arena, Formula, Schema

#: How many values deep the glance goes; discriminators lie one or two deep.
_DEPTH: Final = 3


def disjoint(arena: Arena, left: Formula, right: Formula, depth: int = _DEPTH) -> bool:
    """Return True where the two formulas certainly exclude each other."""
    if left is arena.false or right is arena.false or left.neg_ is right:
        return True
    if left.op == "or":
        return depth > 0 and all(disjoint(arena, part, right, depth - 1) for part in left.args)
    if right.op == "or":
        return depth > 0 and all(disjoint(arena, left, part, depth - 1) for part in right.args)
    lefts = left.args if left.op == "and" else (left,)
    rights = right.args if right.op == "and" else (right,)
    uids = {part.uid for part in rights}
    if any(part.neg_ is not None and part.neg_.uid in uids for part in lefts):
        return True
    if any(_sets_apart(a, b) for a in lefts for b in rights if a.kind == b.kind == "finite"):
        return True
    return depth > 0 and _members_apart(arena, lefts, rights, depth)


def _sets_apart(a: Formula, b: Formula) -> bool:
    if a.op == "atom" and b.op == "atom":
        return not (a.args[1].values.keys() & b.args[1].values.keys())
    if a.op == b.op:
        return False
    inside, outside = (a.args, b.args.args) if a.op == "atom" else (b.args, a.args.args)
    return bool(inside[1].values.keys() <= outside[1].values.keys())


def _members_apart(arena: Arena, lefts: tuple[Formula, ...], rights: tuple[Formula, ...], depth: int) -> bool:
    """Compare objects by a member that one requires and whose values are apart, or that the other forbids."""
    needed = _needed(arena, lefts) | _needed(arena, rights)
    if not needed:
        return False
    ours, theirs = _by_name(lefts), _by_name(rights)
    for name in needed & ours.keys() & theirs.keys():
        for a in ours[name]:
            for b in theirs[name]:
                if all(disjoint(arena, x, y, depth - 1) for x, y in zip(a.worlds, b.worlds, strict=True)):
                    return True
    return False


def _needed(arena: Arena, parts: tuple[Formula, ...]) -> set[str]:
    names: set[str] = set()
    for part in parts:
        if part.op == "not" and part.kind == "forall" and part.args.args[1] is arena.nothing:
            region = part.args.args[0]
            if region.op == "atom" and region.kind == "finite" and len(region.args[1].values) == 1:
                names.update(region.args[1].values)
    return names


def _by_name(parts: tuple[Formula, ...]) -> dict[str, list[Schema]]:
    found: dict[str, list[Schema]] = {}
    for part in parts:
        if part.op == "atom" and part.kind == "forall":
            region, schema = part.args
            if region.op == "atom" and region.kind == "finite":
                for name in region.args[1].values:
                    found.setdefault(name, []).append(schema)
    return found
