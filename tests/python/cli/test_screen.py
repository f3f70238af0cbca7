"""The first screen on terminals of all widths."""

import pytest

from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Caveat, Certainty, Changes, Choice, Ratio
from weir.answers.quantities import quantity_from
from weir.answers.screen import Screen
from weir.cli._screen import screen_lines

RATE = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
MIB = 1 << 20
LONG = Choice("all through rank 0", "each rank its own pieces", Ratio(11.3, 9.2, 14.1, 12), differs=False)


def screen(rows: int, *, value: Choice | None = None, caveats: int = 0) -> Screen:
    known = quantity_from(RATE, [1900 * MIB, 500 * MIB] * 5)
    answers = [
        Answer("quantity", (f"Write {at}",), value or known, Certainty.WITHIN, "either") for at in range(rows)
    ]
    told = [Caveat("cached", 1, at + 1, [*Changes][at % 2]) for at in range(caveats)]
    return Screen(("ext4 on vda", "1 node, 2 ranks"), tuple(answers), 0, tuple(told), ())


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("value", [None, LONG])
def test_lines_fit_the_terminal(width: int, value: Choice | None) -> None:
    lines = screen_lines(screen(6, value=value, caveats=3), width)
    assert max(map(len, lines)) <= width
    assert sum(line.startswith("◐ Write") for line in lines) == 6


def test_fourteen_lines_of_eighty_columns_at_most() -> None:
    lines = screen_lines(screen(6, caveats=6))
    assert len(lines) <= 14 and max(map(len, lines)) <= 80
    assert lines[-1] == "3 caveats more: weir show --all tells"
    assert lines[0] == "ext4 on vda · 1 node, 2 ranks · Write 0 500 or 1900 MiB/s, alternating"


def test_nothing_but_the_place() -> None:
    assert screen_lines(screen(0)) == ["ext4 on vda · 1 node, 2 ranks · no sample was taken"]


def test_the_verdict_is_broken_between_its_parts() -> None:
    assert screen_lines(screen(1), 40)[:2] == [
        "ext4 on vda · 1 node, 2 ranks",
        "Write 0 500 or 1900 MiB/s, alternating",
    ]
