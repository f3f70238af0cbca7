"""The page of a trace: its text, its script, and the file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path, PurePath

import jinja2
from markupsafe import Markup, escape

from weir import __version__
from weir.errors import system_errors
from weir.explain.remark import nothing_stands_out, remarks_on
from weir.explain.section import PageSection, sections_of
from weir.explain.summary import Head, TraceSummary
from weir.explain.together import together
from weir.figures import operation_colours
from weir.files.write import write
from weir.printable import printable
from weir.report.page import asset as report_asset
from weir.results.words import join_words
from weir.trace.model import MARK, Trace
from weir.units import count_words, format_bytes, format_share

from .selection import notes_on
from .timeline import Timeline, make_timeline

TITLE_LETTERS = 90
PROFILE, MOST_FIRST_PHASES = "profile", 6
NO_BREAK = "\u00a0"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def title_of(head: Head) -> str:
    """The command, its program without folders, cut where it is long."""
    first, _, rest = head.command.partition(" ")
    words = f"{PurePath(first).name} {rest}".strip() or head.name
    return words if len(words) <= TITLE_LETTERS else f"{words[:TITLE_LETTERS]}…"


def where(head: Head) -> str:
    """The host, or how many."""
    if not head.hosts:
        return "unknown hosts"
    return head.hosts[0] if len(head.hosts) == 1 else count_words(len(head.hosts), "host")


def sentence(summary: TraceSummary) -> str:
    """Who ran where how long, what was moved, and how long that took."""
    head = summary.head
    read = sum(row.bytes_read for row in summary.ranks)
    written = sum(row.bytes_written for row in summary.ranks)
    share = summary.share_of_run
    took = "took {} of the time" if head.calls_lost else "spent {} of the time in I/O calls"
    did = [
        f"read {format_bytes(read)}" if read else "",
        f"wrote {format_bytes(written)}" if written else "",
        "" if share is None else took.format(format_share(share)),
    ]
    words = join_words([one for one in did if one]).replace(" %", NO_BREAK + "%")
    ran = f"{head.who} on {where(head)} ran for {head.how_long}"
    if head.calls_lost and words:
        return f"{ran}; {head.how_many}: those recorded {words}."
    return f"{ran}, {words}; {head.how_many}." if words else f"{ran}; {head.how_many}."


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
        loader=jinja2.PackageLoader("weir.explain.page", "assets"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_as_printable,
    )
    environment.filters["share"] = format_share
    environment.filters["code"] = _with_code
    head, remarks = summary.head, remarks_on(summary)
    overlap = together(summary, remarks)
    sections = sections_of(summary)
    began = datetime.fromtimestamp(head.began_real_s, UTC)
    return environment.get_template("page.html.jinja").render(
        version=__version__,
        head=head,
        title=title_of(head),
        kicker=f"{head.source} · {where(head)} · {began:%Y-%m-%d %H:%M} UTC",
        sentence=sentence(summary),
        remarks=remarks,
        together=overlap.words(head) if overlap else "",
        nothing=nothing_stands_out(summary),
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
