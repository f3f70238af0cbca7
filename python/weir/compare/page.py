"""The page of a comparison: one HTML file that needs nothing but itself."""

from pathlib import Path

import jinja2

from weir import __version__
from weir.compare.comparison import Comparison
from weir.compare.first_screen import facts_that_differ, first_screen
from weir.compare.picture import dots, intervals
from weir.compare.rows import headings, table_rows
from weir.errors import WeirError, system_errors
from weir.figures.figure import Drawing
from weir.files.write import written
from weir.report.page import Pictures, asset, draw_pictures, page_environment, page_scripts


def write_comparison(comparison: Comparison, path: Path) -> WeirError | None:
    """Write it, in place of a file that is there; returns why it has no pictures, where it has none."""
    first, below = dots(comparison), intervals(comparison)
    drawings = [one for one in (first, below) if one]
    with system_errors(f"cannot write '{path}'", "choose another file with --page"), written(path) as file:
        drawn = draw_pictures(drawings)
        shown, why = (None, drawn) if isinstance(drawn, WeirError) else (drawn, None)
        file.write(_render(comparison, first, below, shown).encode())
    return why


def _render(
    comparison: Comparison, first: Drawing | None, below: Drawing | None, drawn: Pictures | None
) -> str:
    environment = page_environment(jinja2.PackageLoader("weir.compare", "assets"))
    tables = [(one, headings(one), table_rows(one), facts_that_differ(one)) for one in comparison.compared]
    runs = [run for one in comparison.compared for run in (*one.reference.runs, *one.side.runs)]
    return environment.get_template("comparison.html.jinja").render(
        version=__version__,
        screen=first_screen(comparison),
        comparison=comparison,
        tables=tables,
        runs=list({id(run): run for run in runs}.values()),
        first=first,
        below_picture=below,
        pictures=drawn,
        style=asset("style.css"),
        **page_scripts([one for one in (first, below) if one], drawn),
    )
