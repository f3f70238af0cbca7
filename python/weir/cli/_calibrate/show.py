"""A calibration as people see it: the measured sizes, and what they mean."""

from __future__ import annotations

import math
import shutil
import sys
import textwrap
from pathlib import Path

from weir.calibrate.calibration import Calibration, Side, Size
from weir.calibrate.words import bytes_words, known_words, short_words, side_words, use_words
from weir.cli._output import print_table
from weir.counts import count_words
from weir.units import BINARY_SIZES, format_bytes, significant

BAR = 14
WIDTH = 110


def show_calibration(calibration: Calibration, path: Path) -> None:
    """Prints it; the size to use comes last but for where it is kept."""
    storage = calibration.storage
    title = (
        f"{calibration.directory} ({storage['type']} at {storage['mount_point']}, on {storage['host']}):"
        f" {count_words(calibration.ranks, 'rank')}, a file each,"
        f" {format_bytes(calibration.transfer_bytes)} a request"
    )
    _say(title, "")
    _show_sizes(calibration)
    _say("", known_words(calibration))
    for name, side in calibration.sides.items():
        _say(side_words(name, side, calibration.ranks))
    _say(*short_words(calibration), bytes_words(calibration), "", use_words(calibration))
    sys.stdout.write(f"Kept in {path}\n")


def _show_sizes(calibration: Calibration) -> None:
    sizes = sorted({size.bytes for side in calibration.sides.values() for size in side.sizes})
    medians = [size.level.median for side in calibration.sides.values() for size in side.sizes]
    rows = [
        [
            format_bytes(size),
            format_bytes(size * calibration.ranks),
            *(cell for side in calibration.sides.values() for cell in _cells(side, size, medians)),
        ]
        for size in sizes
    ]
    headings = [">a rank", ">all ranks"]
    for name in calibration.sides:
        headings += [f">{name} MiB/s", ">n", "", ""]
    print_table(headings, rows)


def _cells(side: Side, size: int, medians: list[float]) -> list[str]:
    found = next((each for each in side.sizes if each.bytes == size), None)
    if found is None:
        return ["", "", "", ""]
    median = significant(found.level.median / BINARY_SIZES["MiB"])
    return [median, str(found.level.n), _bar(found, medians), "plateau" if found.flat else ""]


def _bar(size: Size, medians: list[float]) -> str:
    """Its length is the logarithm of the bandwidth."""
    least, most = math.log(min(medians) / 2), math.log(max(medians))
    return "▪" * max(round(BAR * (math.log(size.level.median) - least) / (most - least)), 1)


def _say(*paragraphs: str) -> None:
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH) if sys.stdout.isatty() else WIDTH
    for text in paragraphs:
        sys.stdout.write(textwrap.fill(text, width, subsequent_indent="  ", break_long_words=False) + "\n")
