"""The pages of comparisons and histories: one HTML file each that needs nothing but itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from weir import __version__
from weir.answers.screen import Screen
from weir.compare.comparison import Comparison
from weir.compare.first_screen import facts_that_differ, first_screen, model_values_that_differ
from weir.compare.history_picture import course_pictures
from weir.compare.history_rows import course_headings, course_rows
from weir.compare.history_screen import History, history_screen
from weir.compare.overlaid import overlaid
from weir.compare.picture import dots, intervals
from weir.compare.rows import headings, table_rows
from weir.errors import WeirError, system_errors
from weir.figures.figure import Drawing
from weir.files.write import written
from weir.report.page import Pictures, asset, draw_pictures, page_environment, page_scripts
from weir.report.print_page import Heading, write_print


def write_comparison(comparison: Comparison, path: Path, further: Sequence[Drawing] = ()) -> WeirError | None:
    """Write it, in place of a file that is there, with `further` figures below those of both studies; returns
    why it has no pictures, where it has none."""
    tables = [
        (one, headings(one), table_rows(one), [*facts_that_differ(one), *model_values_that_differ(one)])
        for one in comparison.compared
    ]
    runs = [run for one in comparison.compared for run in (*one.reference.runs, *one.side.runs)]
    return write_screen(
        path,
        (PACKAGE, "comparison.html.jinja"),
        first_screen(comparison),
        (dots(comparison), intervals(comparison), *overlaid(comparison), *further),
        comparison=comparison,
        tables=tables,
        runs=list({id(run): run for run in runs}.values()),
    )


def write_history(history: History, path: Path) -> WeirError | None:
    """The same of a history."""
    return write_screen(
        path,
        (PACKAGE, "history.html.jinja"),
        history_screen(history),
        course_pictures(history),
        history=history,
        headings=course_headings(),
        rows=course_rows(history),
    )


PACKAGE = "weir.compare"


def write_screen(
    path: Path, template: tuple[str, str], screen: Screen, drawings: Sequence[Drawing | None], **context: Any
) -> WeirError | None:
    """A page with a first screen, in place of a file that is there; returns why it has no pictures, where it
    has none. `template`: its package and name, which extends screen.html.jinja; `drawings`: of the first
    screen, and those below. A path that ends in .pdf gets the first screen alone, as one page for print."""
    advice = "choose another file with --page"
    if path.suffix.lower() == ".pdf":
        write_print(Heading("Comparison", path.stem), screen, drawings[0], path, advice)
        return None
    present = [one for one in drawings if one]
    with system_errors(f"cannot write '{path}'", advice), written(path) as file:
        drawn = draw_pictures(present)
        shown, why = (None, drawn) if isinstance(drawn, WeirError) else (drawn, None)
        page = _render(template, shown, present, screen=screen, drawings=drawings, **context)
        file.write(page.encode())
    return why


def _render(
    template: tuple[str, str], drawn: Pictures | None, present: Sequence[Drawing], **context: Any
) -> str:
    packages = dict.fromkeys([template[0], PACKAGE])
    environment = page_environment(*(jinja2.PackageLoader(one, "assets") for one in packages))
    return environment.get_template(template[1]).render(
        version=__version__,
        pictures=drawn,
        style=asset("style.css"),
        **page_scripts(present, drawn),
        **context,
    )
