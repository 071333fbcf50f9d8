"""The pages about rules are those that the rows give."""

from __future__ import annotations

from pathlib import Path

from tasks.docs import differing, pages


def test_the_pages_are_up_to_date() -> None:
    assert differing() == [], "run `uv run python -m tasks.docs`"


def test_a_page_that_is_missing_or_too_much_is_noticed(tmp_path: Path) -> None:
    for name, text in pages().items():
        (tmp_path / name).write_text(text, "utf-8")
    assert differing(tmp_path) == []
    (tmp_path / "index.md").write_text("something else", "utf-8")
    (tmp_path / "extra.md").write_text("", "utf-8")
    (tmp_path / "tool-removed.md").unlink()
    assert differing(tmp_path) == ["extra.md", "index.md", "tool-removed.md"]
