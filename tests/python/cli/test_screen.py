"""The first screen on terminals of all widths."""

from dataclasses import replace

import pytest

from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Caveat, Certainty, Changes, Choice, Cost, Ratio, Several
from weir.answers.quantities import quantity_from
from weir.answers.screen import Screen
from weir.cli._screen import print_screen, row_lines, screen_lines

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
    shown = sum(line.startswith("◐ Write") for line in lines)
    assert shown == (3 if width == 80 and value else 6)


@pytest.mark.parametrize("value", [None, LONG])
@pytest.mark.parametrize("rows", [0, 1, 6])
@pytest.mark.parametrize("caveats", [0, 1, 2, 6, 20])
def test_twelve_lines_of_eighty_columns_at_most(value: Choice | None, rows: int, caveats: int) -> None:
    lines = screen_lines(screen(rows, value=value, caveats=caveats))
    assert len(lines) <= 12 and max(map(len, lines)) <= 80
    told = sum(line.startswith("! ") for line in lines)
    more = [int(line.split()[0]) for line in lines if " more: weir show --all tells" in line]
    assert told + sum(more) == caveats, "none is lost"


def test_the_verdict_is_the_first_line() -> None:
    lines = screen_lines(screen(6, caveats=6))
    assert lines[0] == "ext4 on vda · 1 node, 2 ranks · Write 0 500 or 1900 MiB/s, alternating"


def test_nothing_but_the_place() -> None:
    assert screen_lines(screen(0)) == ["ext4 on vda · 1 node, 2 ranks · no sample was taken"]


def test_the_verdict_is_broken_between_its_parts() -> None:
    assert screen_lines(screen(1), 40)[:2] == [
        "ext4 on vda · 1 node, 2 ranks",
        "Write 0 500 or 1900 MiB/s, alternating",
    ]


@pytest.mark.parametrize(("letters", "bars"), [(10, True), (49, False)])
def test_bars_are_left_out_where_they_would_cost_a_line(letters: int, bars: bool) -> None:
    costs = tuple(Answer("quantity", (str(at) + "x" * letters,), Cost(0.3, 0.3)) for at in range(2))
    shown = [line for line in screen_lines(Screen(("app",), costs, 0, (), ())) if "xx" in line]
    assert [line.endswith("up to 300 ms, 30 %  ███░░░░░░░") for line in shown] == [bars] * 2
    assert all("up to 300 ms, 30 %" in line for line in shown)


def test_several_values_are_broken_behind_a_comma_and_no_row_is_lost() -> None:
    modes = quantity_from(RATE, [1900 * MIB, 500 * MIB] * 5)
    value = Several((("write at first", modes), ("read again afterwards", modes)))
    rows = tuple(replace(one, value=value) for one in screen(6).rows)
    lines = [*row_lines(rows, 80)]
    assert lines[:3] == [
        "◐ Write 0  write at first 500 or 1900 MiB/s, alternating,",
        "           read again afterwards 500 or 1900 MiB/s, alternating (n = 10)",
        "    either will do",
    ]
    assert len(lines) == 18 and max(map(len, lines)) <= 80


def test_an_interval_is_not_broken() -> None:
    far = quantity_from(RATE, [MIB * value for value in (10, 20, 300, 310, 2000, 5000)])
    value = Several(tuple((f"the number {at}", far) for at in range(3)))
    lines = [*row_lines((replace(screen(1).rows[0], value=value),), 80)]
    assert all(line.count("[") == line.count("]") and line.count("(") == line.count(")") for line in lines)


def test_screens_of_several_values_may_be_longer(capsys: pytest.CaptureFixture[str]) -> None:
    modes = quantity_from(RATE, [1900 * MIB, 500 * MIB] * 5)
    value = Several((("write at first", modes), ("read again afterwards", modes)))
    made = screen(6, caveats=2)
    print_screen(
        replace(made, rows=tuple(replace(one, value=value) for one in made.rows)), "", "run/report.html"
    )
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 22 and sum(line.startswith("◐ Write") for line in lines) == 6
