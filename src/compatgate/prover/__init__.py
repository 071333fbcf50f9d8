"""Prove containment between JSON Schemas, with a verified witness where there is none."""

from compatgate.prover.budget import Budget
from compatgate.prover.containment import Callers, Containment, Deadline, contains, satisfies, separate
from compatgate.prover.second import covers, second_opinion

__all__ = [
    "Budget",
    "Callers",
    "Containment",
    "Deadline",
    "contains",
    "covers",
    "satisfies",
    "second_opinion",
    "separate",
]
