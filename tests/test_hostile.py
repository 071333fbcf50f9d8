"""Hostile schemas end in an answer, right or UNKNOWN with a reason, in seconds and within a gigabyte."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.data import PROJECT
from tests.hostile import CASES

SECONDS = 10.0
#: What is known of the answers: True where the left is contained in the right, False where not.
CONTAINED = {
    "10,000 times not": False,
    "10,000 times items": False,
    "10,000 times properties on both sides": False,
    "10,000 times allOf": False,
    "200 deep properties": False,
    "a constant 10,000 deep": True,
    "50,000 values lose one": False,
    "50,000 values gain one": True,
    "50,000 values against a pattern": True,
    "a pattern against 50,000 values": False,
    "50,000 objects": False,
    "10,000 properties, one changed": False,
    "10,000 required names": False,
    "40 independent choices": False,
    "40 exclusive choices": False,
    "pigeons and holes": True,
    "pigeons and holes with choices": True,
    "a billion items": False,
    "a billion characters": False,
    "a billion members": False,
    "a list without end": True,
    "many dependencies": True,
}
#: What may not be left undecided: the size alone is no excuse.
DECIDED = (
    *("50,000 values lose one", "50,000 values gain one", "50,000 values against a pattern", "50,000 objects"),
    *("10,000 properties, one changed", "10,000 required names", "200 deep properties", "pigeons and holes"),
    *("a list without end", "many dependencies", "a pattern against 50,000 values", "40 independent choices"),
)


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_question_ends(name: str) -> None:
    command = [sys.executable, "-m", "tests.hostile", name]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-800:]
    answer = json.loads(done.stdout)
    assert answer["seconds"] < SECONDS
    if answer["relation"] == "UNKNOWN":
        assert answer["reason"]
        assert name not in DECIDED, answer
    elif name in CONTAINED:
        assert answer["relation"] == ("PROVEN_SUBSET" if CONTAINED[name] else "PROVEN_NOT_SUBSET")


@pytest.mark.parametrize("name", ["a missing reference", "a remote reference", "a file reference"])
def test_a_reference_that_is_not_followed_is_named(name: str) -> None:
    command = [sys.executable, "-m", "tests.hostile", name]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=True)
    answer = json.loads(done.stdout)
    assert answer["relation"] == "UNKNOWN"
    assert "gone" in answer["reason"] + answer["path"] or "not in this document" in answer["reason"]
