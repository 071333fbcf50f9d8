"""Replay: what recorded calls say about a change, and how much that proves."""

from compatgate.replay.calls import BadCall, CallReader, Form
from compatgate.replay.engine import MAX_LISTED, Check, Outcome, Replay, Result, Tally, Target, replay
from compatgate.replay.evidence import phrase, upper_bound

__all__ = [
    "MAX_LISTED",
    "BadCall",
    "CallReader",
    "Check",
    "Form",
    "Outcome",
    "Replay",
    "Result",
    "Tally",
    "Target",
    "phrase",
    "replay",
    "upper_bound",
]
