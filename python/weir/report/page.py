"""The report as one HTML page that needs nothing but itself."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from weir import __version__
from weir.answers.bars import bars
from weir.answers.evidence import evidence_words
from weir.answers.words import DOTS, action_of, caveat_words, exact_words, reason_of, title_of, value_of
from weir.errors import WeirError, system_errors
from weir.figures.browser_program import browser_program
from weir.figures.encoding import config
from weir.figures.engine import engine
from weir.figures.figure import Drawing
from weir.figures.render import still
from weir.files.write import written
from weir.printable import printable_lines
from weir.report.build import Report, build
from weir.report.gather import gather
from weir.report.print_page import Heading, write_print
from weir.results.words import capital
from weir.store.run_directory import host_of, open_run
from weir.units import count_words

DEFAULT_NAME = "report.html"
QUANTITY = re.compile(r"[\d.]+ (?:times )?\[[^\]]*\](?: (?:MiB|GB|Gflop|GUP|operations)/s)?|\(n = [^)]*\)")


@dataclass(frozen=True)
class Pictures:
    """Everything of the page that needs vl-convert: the drawing program, and each figure as a still SVG by
    name.
    """

    program: str
    stills: dict[str, str]


def draw_pictures(drawings: Sequence[Drawing]) -> Pictures | WeirError:
    """The pictures, or why there are none: vl-convert is not installed, or its engine died; the page is then
    tables and words."""
    try:
        engine()
        with browser_program() as program:
            stills = {drawing.name: _fluid(still(printable_drawing(drawing))) for drawing in drawings}
            return Pictures(program(), stills)
    except WeirError as error:
        return error


def render(report: Report, pictures: Pictures | None) -> str:
    """The page; pure."""
    environment = page_environment()
    environment.filters["quantities"] = _unbroken_quantities
    environment.filters["sentence"] = _as_sentence
    return environment.get_template("page.html.jinja").render(
        report=report,
        info=report.contents.info,
        version=__version__,
        pictures=pictures,
        style=asset("style.css"),
        **page_scripts(report.all_drawings, pictures),
    )


def page_environment(*loaders: jinja2.BaseLoader) -> jinja2.Environment:
    """That of a page with a first screen; `loaders` find its own templates."""
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*loaders, jinja2.PackageLoader("weir.report", "assets")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=as_printable,
    )
    add_answer_filters(environment)
    return environment


def as_printable(value: object) -> object:
    """Text that came from elsewhere can hold anything; what the page's own parts hold is markup."""
    return printable_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _printable_tree(data: Any) -> Any:
    """The same of all text in a figure's data."""
    if isinstance(data, dict):
        return {as_printable(key): _printable_tree(value) for key, value in data.items()}
    return [_printable_tree(one) for one in data] if isinstance(data, list) else as_printable(data)


def printable_drawing(drawing: Drawing) -> Drawing:
    """The figure, with text that can be shown."""
    panels = [replace(panel, spec=_printable_tree(panel.spec)) for panel in drawing.panels]
    return replace(drawing, panels=type(drawing.panels)(panels))


def page_scripts(drawings: Sequence[Drawing], pictures: Pictures | None) -> dict[str, str]:
    """What a page's scripts need to draw these: `script`, `program` and `data`."""
    shown = map(printable_drawing, drawings)
    specs = {f"{one.name}-{at}": panel.spec for one in shown for at, panel in enumerate(one.panels)}
    return {
        "script": asset("script.js"),
        "program": _inside_script(pictures.program) if pictures else "",
        "data": _json({"specs": specs, "light": config(), "dark": config(dark=True)}),
    }


def add_answer_filters(environment: jinja2.Environment) -> None:
    """What the templates of first screens need."""
    environment.filters["counted"] = count_words
    environment.filters["dot"] = lambda answer: DOTS[answer.certainty]
    environment.filters["title_words"] = title_of
    environment.filters["value_words"] = value_of
    environment.filters["exact_words"] = exact_words
    environment.filters["action_words"] = action_of
    environment.filters["reason_words"] = reason_of
    environment.filters["evidence_words"] = evidence_words
    environment.filters["caveat_words"] = caveat_words
    environment.filters["with_bars"] = lambda answers: list(zip(answers, bars(answers), strict=True))


def _as_sentence(text: str) -> str:
    """The text with a capital letter and one full stop, however it came."""
    return capital(text.strip().rstrip(".")) + "."


def _unbroken_quantities(text: str) -> Markup:
    """Text whose numbers stay on one line with their interval, unit and count."""
    escaped = str(escape(printable_lines(text)))
    return Markup(QUANTITY.sub(r'<span class="quantity">\g<0></span>', escaped))


def asset(name: str) -> str:
    """A file of assets/."""
    return resources.files("weir.report").joinpath("assets", name).read_text(encoding="utf-8")


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")


def _inside_script(program: str) -> str:
    # The text of a script element ends at the first "</script", wherever that stands.
    return re.sub(r"</(script)", r"<\\/\1", program, flags=re.IGNORECASE)


def _fluid(svg: str) -> str:
    """The SVG without its fixed width and height, so that it takes the width it is given."""
    head, rest = svg.split(">", 1)
    return re.sub(r'\s(width|height)="[^"]*"', "", head) + ">" + rest


PRINT_NAME = "report.pdf"


def write_report_print(run: Path, out: Path | None = None, *, redact: bool = False) -> Path:
    """The report's first screen as one page for print, by default in the run. Raises WeirError where it
    cannot be drawn, or the run or the path is unusable."""
    report = read_report(run, redact=redact)
    info, path = report.contents.info, out or run / PRINT_NAME
    host = info.simulated_on or host_of(report.contents.machine) or "unknown host"
    made = f"{info.created_at[:16].replace('T', ' ')} UTC"
    heading = Heading(
        " · ".join([info.study.title or info.study.name, host, made]),
        f"Run {run.resolve().name}, study {info.study.name}, made {info.created_at}",
    )
    write_print(heading, report.screen, report.picture, path, "choose another file with --out")
    return path


@dataclass(frozen=True)
class Written:
    """The report, where its page lies, and why it has no figures, where it has none."""

    report: Report
    page: Path
    no_figures: WeirError | None


def read_report(run: Path, *, redact: bool = False) -> Report:
    """The report of the run in a directory; raises WeirError if it is not a run."""
    return build(gather(open_run(run, redact=redact)))


def write_page(run: Path, out: Path | None = None, *, redact: bool = False) -> Written:
    """Writes the page, by default into the run, `redact`ed for others; raises WeirError if the run or the
    path is unusable."""
    report = read_report(run, redact=redact)
    path = out or run / DEFAULT_NAME
    with (
        system_errors(f"cannot write '{path}'", "choose another file with --out"),
        written(path, make=True, named=out is not None) as file,  # refused before anything is drawn
    ):
        pictures = draw_pictures(report.all_drawings)
        shown, why = (None, pictures) if isinstance(pictures, WeirError) else (pictures, None)
        file.write(render(report, shown).encode())
    return Written(report, path, why)
