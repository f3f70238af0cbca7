"""A first screen as one page of A4 that can be attached to a mail: an SVG, and as PDF what vl-convert makes
of it, whose text is text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from weir import __version__
from weir.answers.answer import Answer, Certainty
from weir.answers.screen import Screen
from weir.answers.words import action_of, caveat_words, title_of, value_of
from weir.errors import system_errors
from weir.figures.encoding import FONT, LIGHT
from weir.figures.engine import engine
from weir.figures.figure import Drawing
from weir.figures.render import still
from weir.figures.text_width import wrapped
from weir.files.write import written
from weir.printable import printable
from weir.units import count_words

WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 42.0
"""A4 in points, and what stays white around."""
ROOM = WIDTH - 2 * MARGIN
LINE = 1.35
"""From one line to the next, in sizes of the letters."""
LEAST_PICTURE, MOST_PICTURE = 90.0, 330.0
MOST_CAVEATS = 8
TITLES, VALUES = 0.36, 0.36
"""Shares of the width that columns of the answers have; actions have the rest."""
LABELS = 0.18
MARK = 14.0
"""Room for a dot."""
_SIZE = re.compile(r'<svg[^>]*?\swidth="([\d.]+)"[^>]*?\sheight="([\d.]+)"')


@dataclass(frozen=True)
class Heading:
    """What stands above and below: `kicker`: what was measured where and when; `foot`: which run it was."""

    kicker: str
    foot: str


def print_svg(heading: Heading, screen: Screen, picture: str) -> str:
    """The page; pure. `picture`: an SVG of its own, empty for none."""
    above, below = _Column(), _Column()
    above.say(heading.kicker, 9, colour=LIGHT["faint"])
    above.down(4)
    above.say(" · ".join(screen.verdict_parts), 15, bold=True, most=4)
    above.down(8)
    for answer in screen.rows:
        _answer(below, answer)
    if screen.others:
        below.say(f"{count_words(screen.others, 'more answer')} in the report", 8, colour=LIGHT["faint"])
    below.down(8)
    _caveats(below, screen)
    below.down(8)
    for fact in screen.machine:
        below.cells(
            [(fact.label, LABELS, LIGHT["faint"]), (fact.value, 1 - LABELS, LIGHT["ink"])], 8.5, most=2
        )
    foot = _Column()
    foot.say(f"{heading.foot} · Weir {__version__}", 7.5, colour=LIGHT["faint"], most=2)
    left = HEIGHT - 2 * MARGIN - above.height - below.height - foot.height - 16
    drawn, high = _fitted(picture, min(left, MOST_PICTURE)) if left >= LEAST_PICTURE else ("", 0.0)
    middle = MARGIN + above.height
    parts = [
        above.at(MARGIN),
        f'<g transform="translate({MARGIN:.2f} {middle:.2f})">{drawn}</g>' if drawn else "",
        below.at(middle + high + 10 * bool(drawn)),
        foot.at(HEIGHT - MARGIN - foot.height),
    ]
    size = f'width="{WIDTH:.0f}" height="{HEIGHT:.0f}" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}"'
    paper = f'<rect width="{WIDTH:.0f}" height="{HEIGHT:.0f}" fill="{LIGHT["paper"]}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{paper}{"".join(parts)}</svg>'


@dataclass
class _Column:
    """Lines below each other, from 0 on; `height`: how far they reach."""

    height: float = 0.0
    marks: list[str] = field(default_factory=list)

    def down(self, points: float) -> None:
        self.height += points

    def say(
        self, text: str, size: float, *, bold: bool = False, colour: str = LIGHT["ink"], most: int = 3
    ) -> None:
        """Over the whole width."""
        self.height += self._block(text, 0, ROOM, size, bold=bold, colour=colour, most=most)

    def cells(
        self, cells: Iterable[tuple[str, float, str]], size: float, *, indent: float = 0.0, most: int = 3
    ) -> None:
        """Beside each other: text, share of the width, colour."""
        at, high = indent, 0.0
        for text, share, colour in cells:
            width = share * (ROOM - indent)
            high = max(high, self._block(text, at, width - 6, size, colour=colour, most=most))
            at += width
        self.height += high

    def _block(  # noqa: PLR0913 - all that a line of text has
        self, text: str, left: float, width: float, size: float, *, colour: str, most: int, bold: bool = False
    ) -> float:
        lines = wrapped(printable(text), width, size, bold=bold) if text else []
        if len(lines) > most:
            lines = [*lines[: most - 1], wrapped(f"{lines[most - 1]} …", width, size, bold=bold)[0]]
        weight = ' font-weight="bold"' if bold else ""
        for number, line in enumerate(lines):
            y = self.height + size + number * size * LINE
            self.marks.append(
                f'<text x="{MARGIN + left:.2f}" y="{y:.2f}" font-size="{size}" fill="{colour}"{weight}>'
                f"{escape(line)}</text>"
            )
        return len(lines) * size * LINE

    def at(self, top: float) -> str:
        family = quoteattr(FONT)
        return f'<g font-family={family} transform="translate(0 {top:.2f})">{"".join(self.marks)}</g>'


def _answer(column: _Column, answer: Answer) -> None:
    size = 9.5
    column.marks.append(_dot(answer.certainty, MARGIN + 4, column.height + 0.66 * size))
    shares = (TITLES, VALUES, 1 - TITLES - VALUES)
    texts = (title_of(answer), value_of(answer), action_of(answer))
    colours = (LIGHT["ink"], LIGHT["ink"], LIGHT["faint"])
    column.cells(zip(texts, shares, colours, strict=True), size, indent=MARK)
    column.down(3)


def _dot(certainty: Certainty, x: float, y: float) -> str:
    """As ● ◐ ○ ◇, which many fonts lack."""
    if certainty is Certainty.SIMULATED:
        corners = f"M{x:.2f} {y - 3.6:.2f} l3.6 3.6 l-3.6 3.6 l-3.6 -3.6 z"
        return f'<path d="{corners}" stroke="{LIGHT["ink"]}" stroke-width="0.9" fill="none"/>'
    ring = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3.2" stroke="{LIGHT["ink"]}" stroke-width="0.9"'
    if certainty is Certainty.SURE:
        return f'{ring} fill="{LIGHT["ink"]}"/>'
    half = f'<path d="M{x:.2f} {y - 3.2:.2f} a3.2 3.2 0 0 0 0 6.4 z" fill="{LIGHT["ink"]}"/>'
    return f'{ring} fill="none"/>{half if certainty is Certainty.WITHIN else ""}'


def _caveats(column: _Column, screen: Screen) -> None:
    """Those that change the verdict first; of many, how many more there are."""
    caveats = [*screen.open_caveats, *screen.folded_caveats]
    for number, caveat in enumerate(caveats[:MOST_CAVEATS]):
        is_open = number < len(screen.open_caveats)
        words = f"{'! ' if is_open else ''}{caveat_words(caveat)}"
        column.say(words, 8.5, colour=LIGHT["ink"] if is_open else LIGHT["faint"], most=2)
    if (left := len(caveats) - MOST_CAVEATS) > 0:
        column.say(f"{count_words(left, 'caveat')} more in the report", 8.5, colour=LIGHT["faint"])


def _fitted(picture: str, most: float) -> tuple[str, float]:
    """The picture as wide as the page lets it be, and its height there."""
    found = _SIZE.search(picture)
    if not found:
        return "", 0.0
    width, height = float(found[1]), float(found[2])
    scale = min(ROOM / width, most / height)
    return f'<g transform="scale({scale:.5f})">{picture}</g>', height * scale


def write_print(heading: Heading, screen: Screen, picture: Drawing | None, path: Path, advice: str) -> None:
    """Write the page as PDF, in place of a file that is there. Raises WeirError without vl-convert, or where
    the path is unusable; `advice`: what to choose instead."""
    with system_errors(f"cannot write '{path}'", advice), written(path, make=True) as file:
        page = print_svg(heading, screen, still(picture, 2) if picture else "")
        file.write(engine().svg_to_pdf(page))
