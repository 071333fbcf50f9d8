"""Names look alike exactly where Unicode's table, case or separators make them so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatgate.rules.confusables import look, skeleton

ALIKE = [
    ("send_mail", "s\u0435nd_mail"),
    ("send_mail", "Send-Mail"),
    ("readFile", "read_file"),
    ("tool_l", "tool_1"),
    ("tool_I", "tool_l"),
    ("zero", "zer0"),
    ("form", "forrn"),
    ("get", "\uff47\uff45\uff54"),
    ("get", "g\u200bet"),
    ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
]
DIFFERENT = [
    ("get_issue", "get_issues"),
    ("read_file", "write_file"),
    ("list_a", "list_b"),
    ("search", "research"),
    ("наш", "ваш"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_alike(one: str, other: str) -> None:
    assert look(one) & look(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different(one: str, other: str) -> None:
    assert not look(one) & look(other)


@given(st.text())
def test_a_name_looks_like_itself(text: str) -> None:
    assert look(text) & look(text)


@given(st.text(max_size=30))
def test_the_skeleton_of_a_skeleton_is_itself(text: str) -> None:
    once = skeleton(text)
    assert skeleton(once) == once
