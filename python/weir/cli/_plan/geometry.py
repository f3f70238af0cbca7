"""A drawing of which rank's bytes lie where in which file, in characters."""

import string
from collections.abc import Sequence
from itertools import groupby

from weir.core.schema import Geometry, Piece
from weir.counts import more_words
from weir.units import format_bytes

WIDTH = 64
FEWEST_CELLS = 2
"""A piece gets at least as many cells; where the whole file has no room for that, its beginning is drawn."""
MOST_FILES = 4
_SYMBOLS = string.digits + string.ascii_lowercase + string.ascii_uppercase
HOLE = "."
MANY = "*"


def draw_geometry(geometry: Geometry, width: int = WIDTH) -> list[str]:
    """Lines of text: a bar for each file, each cell the rank whose bytes are there; `.` nobody's, `*`
    several ranks'."""
    if not geometry.pieces:
        return []
    files = [(name, list(pieces)) for name, pieces in groupby(geometry.pieces, key=lambda piece: piece.file)]
    longest = max(len(name) for name, _ in files[:MOST_FILES])
    lines = [
        f"{name:<{longest}} |{_bar(pieces, width)}| {_extent(pieces, width)}"
        for name, pieces in files[:MOST_FILES]
    ]
    if len(files) > MOST_FILES:
        lines.append(f"… and {more_words(len(files) - MOST_FILES, 'file')} alike")
    if not geometry.complete:
        lines.append("(more pieces follow)")
    return lines


def shown_bytes(pieces: Sequence[Piece], width: int = WIDTH) -> int:
    """How much of the file's beginning the drawing covers, in bytes."""
    end = max(piece.offset + piece.length for piece in pieces)
    room = width // FEWEST_CELLS
    if len(pieces) <= room:
        return end
    return max(piece.offset + piece.length for piece in sorted(pieces, key=lambda p: p.offset)[: room // 2])


def _bar(pieces: Sequence[Piece], width: int) -> str:
    shown = shown_bytes(pieces, width)
    cells: list[set[int]] = [set() for _ in range(width)]
    for piece in pieces:
        if piece.offset >= shown or piece.length == 0:
            continue
        first = piece.offset * width // shown
        last = (min(piece.offset + piece.length, shown) - 1) * width // shown
        for cell in range(first, last + 1):
            # A cell on a border belongs to the piece that covers its middle; tiny pieces mark it as shared.
            middle = (2 * cell + 1) * shown // (2 * width)
            if piece.offset <= middle < piece.offset + piece.length or piece.length * width < shown:
                cells[cell].add(piece.rank)
    return "".join(_symbol(cell) for cell in cells)


def _symbol(ranks: set[int]) -> str:
    if not ranks:
        return HOLE
    if len(ranks) > 1:
        return MANY
    return _SYMBOLS[next(iter(ranks)) % len(_SYMBOLS)]


def _extent(pieces: Sequence[Piece], width: int) -> str:
    end = max(piece.offset + piece.length for piece in pieces)
    shown = shown_bytes(pieces, width)
    return (
        format_bytes(end) if shown == end else f"first {format_bytes(shown)} of {format_bytes(end)} or more"
    )
