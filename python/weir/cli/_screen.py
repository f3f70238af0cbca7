"""The first screen on a terminal: at most 14 lines of 80 columns."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.answers.answer import Answer, Cost, Several
from weir.answers.bars import Bar, bars
from weir.answers.screen import SEPARATOR, Screen
from weir.answers.words import DOTS, action_of, caveat_words, title_of, value_of
from weir.cli._streams import print_lines
from weir.errors import WeirError
from weir.units import count_words

WIDTH = 80
NARROWEST = 40
GAP = "  "
INDENT = 4
CELLS = 10
"""Of the bar of a cost."""
MANY = 99
MOST_LINES = 14
"""With all that stands below."""


def show_run(run: Path) -> None:
    """Write the report of a run that is over, and print its first screen and where the report is; without a
    page, why there is none."""
    from weir.report.page import read_report, write_page

    try:
        written = write_page(run)
        report, place = written.report, str(written.page)
    except WeirError as error:
        report, place = read_report(run), f"no report: {error}"
    print_screen(report.screen, "", place)


MOST_OF_SEVERAL = 22
"""Where rows have several values side by side, and may take two lines each."""


def print_screen(screen: Screen, *below: str, more: str = "weir show --all", most: int | None = None) -> None:
    """Print it as wide as the terminal, but 80 columns at most, and these lines below it; `more` tells what
    has no room. All are `most` lines."""
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
    several = any(isinstance(one.value, Several) for one in screen.rows)
    most = most or (MOST_OF_SEVERAL if several else MOST_LINES)
    print_lines([*screen_lines(screen, width, more, most - len(below)), *below])


@dataclass(frozen=True)
class Room:
    """What is shown: so many answers, actions of so many of them on lines of their own, so many open
    caveats."""

    rows: int
    own_lines: int
    caveats: int


ROOMS = (
    *(Room(6, own_lines, 9) for own_lines in (6, 5, 4, 3, 2, 1, 0)),
    *(Room(rows, 0, some) for rows, some in ((6, 2), (6, 1), (3, 1))),
)
"""The first that fits is taken."""
MOST_OF_VERDICT = 2
"""Lines; the numbers of others stand below it anyway."""


def screen_lines(
    screen: Screen, width: int = WIDTH, more: str = "weir show --all", most: int = MOST_LINES - 2
) -> list[str]:
    """The verdict, a line an answer, and what changes the verdict: `most` lines. On a narrow terminal there
    may be more."""
    for room in ROOMS:
        lines = _lines(screen, room, width, more)
        if len(lines) <= most or width < WIDTH:
            break
    return lines


def _lines(screen: Screen, room: Room, width: int, more: str) -> list[str]:
    rows, told = screen.rows[: room.rows], screen.open_caveats[: room.caveats]
    lines = _verdict_lines(screen.verdict_parts, width)
    lines = lines[:MOST_OF_VERDICT] if width >= WIDTH else lines
    lines += ["", *row_lines(rows, max(width, NARROWEST), room.own_lines)] if rows else []
    lines += [""] if screen.caveats else []
    lines += [f"! {caveat_words(one)}" for one in told]
    if left := len(screen.caveats) - len(told):
        lines.append(f"{count_words(left, 'caveat')} more: {more} tells")
    return [part for line in lines for part in _folded(line, width)]


def _folded(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) or INDENT)
    return textwrap.wrap(line, width, subsequent_indent=indent) if len(line) > width else [line]


def _verdict_lines(parts: Iterable[str], width: int) -> list[str]:
    """The parts in lines, broken between them where that does."""
    lines = [""]
    for part in parts:
        beside = f"{lines[-1]}{SEPARATOR}{part}" if lines[-1] else part
        lines = [*lines[:-1], beside] if len(beside) <= width or not lines[-1] else [*lines, part]
    return lines


def row_lines(rows: tuple[Answer, ...], width: int, own_lines: int = MANY) -> Iterator[str]:
    """Title, value, bar, dot and action in columns; where they do not fit, the actions of the first
    `own_lines` stand on lines of their own, and then the values."""
    cells = [(title_of(one), value_of(one), DOTS[one.certainty], action_of(one)) for one in rows]
    titles, values = (max((len(row[at]) for row in cells), default=0) for at in (0, 1))
    beginning = len(f"● {GAP}") + titles
    fitting = [len(value) for _, value, _, _ in cells if beginning + len(value) <= width]
    without = len(f"● {GAP}") + titles + values
    bars_cost_a_line = without <= width < without + len(GAP) + CELLS
    drawn = ["" if bars_cost_a_line else _drawn(one, bar) for one, bar in zip(rows, bars(rows), strict=True)]
    for at, ((title, value, dot, action), bar) in enumerate(zip(cells, drawn, strict=True)):
        measured = f"{value.ljust(values)}{GAP}{bar}" if bar else value
        line = f"{dot} {title.ljust(titles)}{GAP}{measured}"
        several = isinstance(rows[at].value, Several)
        wraps = len(line) > width
        if wraps and several:
            *before, line = _broken(line, width, beginning)
            yield from before
        elif wraps:
            yield f"{dot} {title}"
            line = f"{' ' * INDENT}{measured}"
        most = values if not several else 0 if wraps else max(fitting, default=0)
        beside = f"{line.ljust(beginning + most)}{GAP}{action}"
        if several and len(beside) > width:
            beside = f"{line}{GAP}{action}"
        if len(beside) <= width or not action:
            yield beside.rstrip() if action else line
        else:
            yield line
            yield from [f"{' ' * INDENT}{action}"] if at < own_lines else []


BEHIND_COMMAS = re.compile(r"(?<=,) (?![^\[\]()]*[\])])")
"""Not between the ends of an interval, nor within a remark."""


def _broken(line: str, width: int, indent: int) -> Iterator[str]:
    """The line in several, broken behind commas where that does; all but the first begin at the indent."""
    now = ""
    for part in BEHIND_COMMAS.split(line):
        beside = f"{now} {part}" if now.strip() else now + part
        if len(beside) <= width or not now.strip():
            now = beside
            continue
        yield now
        now = " " * indent + part
    yield from textwrap.wrap(now, width, subsequent_indent=" " * indent)


def _drawn(answer: Answer, bar: Bar | None) -> str:
    """The bar of a cost; its value says no more than its length."""
    if bar is None or not isinstance(answer.value, Cost):
        return ""
    full = min(CELLS, max(1, round(CELLS * bar.marks[0])))
    return "█" * full + "░" * (CELLS - full)
