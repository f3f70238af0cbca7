"""The page of a run among the submissions: one HTML file that needs nothing but itself."""

from pathlib import Path

from weir.compare.page import write_screen
from weir.errors import WeirError
from weir.io500.picture import standing_picture
from weir.io500.rows import HEADINGS, table_rows
from weir.io500.screen import standing_screen
from weir.io500.standing import Standings


def write_standing(found: Standings, path: Path) -> WeirError | None:
    """Write it, in place of a file that is there; returns why it has no pictures, where it has none."""
    return write_screen(
        path,
        ("weir.io500", "standing.html.jinja"),
        standing_screen(found),
        (standing_picture(found), None),
        headings=HEADINGS,
        rows=table_rows(found),
    )
