"""How wide text is, and lines of it that fit: for drawings whose words no browser breaks.

Widths are those of Liberation Sans, which are Arial's and Helvetica's: Adobe, Font Metrics for PDF Core 14
Fonts, Helvetica, in thousandths of the size.
"""

import unicodedata
from collections.abc import Iterator

_FIRST = 32
_WIDTHS = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_OTHER, _WIDE = 1000, 1100
"""Of letters that the table lacks: more than most of them are."""
_BOLD = 1.09
"""No letter of the bold face is wider by more, but for some narrow ones."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """At most about so wide, in the unit of the size."""
    return sum(map(_width, text)) * size / 1000 * (_BOLD if bold else 1)


def _width(letter: str) -> int:
    base = unicodedata.normalize("NFD", letter)[0]
    number = ord(base) - _FIRST
    if 0 <= number < len(_WIDTHS):
        return _WIDTHS[number]
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _OTHER


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines of at most that width; a word that is wider is broken."""
    lines = [""]
    for word in text.split():
        for part in _parts(word, width, size, bold=bold):
            beside = f"{lines[-1]} {part}" if lines[-1] else part
            if text_width(beside, size, bold=bold) <= width:
                lines[-1] = beside
            else:
                lines.append(part)
    return lines


def _parts(word: str, width: float, size: float, *, bold: bool) -> Iterator[str]:
    while text_width(word, size, bold=bold) > width:
        fits = [at for at in range(1, len(word)) if text_width(word[:at], size, bold=bold) <= width]
        at = fits[-1] if fits else 1
        yield word[:at]
        word = word[at:]
    yield word
