"""Ask about every schema that real servers published, against itself and against the next version's.

uv run python -m tasks.real [--callers any|declared] [--edits N] [--jobs N] [--report PATH]

With `--edits`, instead, against so many random edits of itself.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tasks.workers import Lost, each
from tests.data import find
from tests.suites.real import Answered, Question, ask, edits, questions


def main() -> int:
    """Run the task; 1 when a witness is refused, or a question is lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--callers", choices=["any", "declared"], default="any")
    parser.add_argument("--edits", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", type=Path, help="where to list what is not decided")
    options = parser.parse_args()
    if not find()[0].exists():
        print(f"there is no data at {find()[0]}", file=sys.stderr)
        return 2
    asked = _questions(options.edits)
    numbers = range(len(asked))
    answers: list[Answered] = []
    for number, answer in each(_asking, (options.callers, options.edits), numbers, workers=options.jobs, limit=10.0):
        if isinstance(answer, Lost):
            names = asked[number].names
            answer = Answered(names, "LOST", answer.seconds * 1000, answer.reason, refused=True)
        answers.append(answer)
    times = sorted(answer.milliseconds for answer in answers)
    print(f"{len(answers)} questions:", dict(Counter(answer.relation for answer in answers)))
    print(f"ms: median {median(times):.2f}, p99 {times[int(len(times) * 0.99)]:.1f}, max {times[-1]:.0f}")
    bad = [answer for answer in answers if answer.refused or answer.reason]
    lines = [
        f"{answer.relation}\t{answer.names}\t{answer.milliseconds:.0f} ms\t{answer.reason}\n"
        for answer in sorted(bad, key=lambda answer: answer.names)
    ]
    if options.report:
        options.report.write_text("".join(lines), encoding="utf-8")
    else:
        sys.stdout.writelines(lines)
    return int(any(answer.refused for answer in answers) and options.callers == "any")


def _questions(each_edited: int) -> tuple[Question, ...]:
    return edits(each_edited) if each_edited else questions()


def _asking(callers: str, each_edited: int) -> Callable[[int], Answered]:
    asked = _questions(each_edited)

    def work(number: int) -> Answered:
        try:
            return ask(asked[number], callers)
        except Exception as error:
            return Answered(asked[number].names, "RAISED", 0.0, f"{type(error).__name__}: {error}", refused=True)

    return work


if __name__ == "__main__":
    sys.exit(main())
