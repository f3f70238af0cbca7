"""The page of a trace: its text, its script, and the file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from weir import __version__
from weir.errors import system_errors
from weir.explain.first_screen import explained, program_of, where
from weir.explain.section import PageSection, sections_of
from weir.explain.summary import TraceSummary
from weir.figures import operation_colours
from weir.files.write import write
from weir.printable import printable
from weir.report.page import add_answer_filters
from weir.report.page import asset as report_asset
from weir.trace.model import MARK, Trace

from .selection import notes_on
from .timeline import Timeline, make_timeline

PROFILE, MOST_FIRST_PHASES = "profile", 6
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def joined(entry: str = "main.js") -> str:
    """A module with all that it imports before it. Each has a scope of its own, and hands out its exports."""
    done: dict[str, str] = {}
    _add(entry, done)
    return "\n".join(done.values())


def _add(name: str, done: dict[str, str]) -> None:
    text = asset(name)
    for needed in _IMPORT.findall(text):
        if needed not in done:
            _add(needed, done)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    done[name] = f"const {{ {exports} }} = (() => {{\n{body}return {{ {exports} }};\n}})();"


def asset(name: str) -> str:
    """A file of assets/."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class TimelineView:
    """The timeline as the template sees it."""

    data: Timeline
    kinds: list[str]
    row: str
    """What a row is."""
    height_px: int
    notes: list[str]


def timeline_view(trace: Trace, data: Timeline) -> TimelineView:
    """How a trace's timeline is shown."""
    present = {kind for _, _, kind in data.seen.series}
    levels = 1 + max((level for _, level, _ in data.seen.series), default=0)
    lanes = max(len(trace.lanes), 1)
    one = "rank" if trace.ranked else "process"
    return TimelineView(
        data,
        [kind for number, kind in enumerate(data.kinds) if number in present],
        one if len({lane.rank for lane in trace.lanes}) == lanes else f"thread of a {one}",
        30 + min(620, max(180, lanes * (levels * 24 + 8 + 15 * (MARK in data.kinds)))),
        notes_on(trace, data.fitted),
    )


def render(summary: TraceSummary, timeline: TimelineView | None) -> str:
    """The page."""
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.PackageLoader("weir.explain.page", "assets"),
                jinja2.PackageLoader("weir.report", "assets"),  # parts of first screens
            ]
        ),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_as_printable,
    )
    environment.filters["code"] = _with_code
    add_answer_filters(environment)
    head, found = summary.head, explained(summary)
    sections = sections_of(summary)
    began = datetime.fromtimestamp(head.began_real_s, UTC)
    return environment.get_template("page.html.jinja").render(
        version=__version__,
        head=head,
        title=program_of(head),
        kicker=f"{head.source} · {where(head)} · {began:%Y-%m-%d %H:%M} UTC",
        screen=found.screen,
        answers=found.answers,
        evident=[one for one in found.screen.caveats if one.evidence],
        sections=sections,
        first=first_picture(sections, summary),
        style=report_asset("style.css") + operation_colours.style() + asset("page.css"),
        script=joined() if timeline else "",
        timeline=timeline,
    )


def first_picture(sections: Sequence[PageSection], summary: TraceSummary) -> PageSection | None:
    """Where the time went, which the first screen shows if it has room for all phases."""
    fits = len(summary.profile.phases) <= MOST_FIRST_PHASES
    return next((one for one in sections if fits and one.name == PROFILE and one.picture), None)


def _as_printable(value: object) -> object:
    """Text that came from elsewhere can hold anything; what the page's own parts hold is markup."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _with_code(words: str) -> Markup:
    """Words, with what stands in backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(words)))))


def write_page(summary: TraceSummary, trace: Trace | None, path: Path, *, named: bool = False) -> int:
    """Write the page, with a timeline where there is a trace; its bytes. Raises WeirError if the path cannot
    be written."""
    timeline = timeline_view(trace, make_timeline(trace)) if trace and trace.records else None
    text = render(summary, timeline)
    with system_errors(f"cannot write '{path}'", "choose another file with --page"):
        return write(path, text.encode("utf-8", "replace"), make=True, named=named)
