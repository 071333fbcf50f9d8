"""Prove containment between JSON Schemas, with a verified witness where there is none."""

from compatgate.prover.budget import Budget
from compatgate.prover.containment import Callers, Containment, Deadline, contains, satisfies, separate

__all__ = ["Budget", "Callers", "Containment", "Deadline", "contains", "satisfies", "separate"]
