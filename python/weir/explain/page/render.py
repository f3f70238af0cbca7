"""The page's text."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import jinja2
from markupsafe import Markup, escape

from weir import __version__
from weir.explain.remark import remarks_on
from weir.explain.summary import Summary
from weir.printable import printable
from weir.report.page import asset as report_asset
from weir.trace.kinds import MARK
from weir.trace.model import Trace
from weir.units import format_share

from .care import care_of
from .scripts import asset, joined
from .section import sections_of
from .timeline import Timeline
from .words import sentence, title_of, where


@dataclass(frozen=True)
class Shown:
    """The timeline as the template sees it."""

    data: Timeline
    kinds: list[str]
    row: str
    """What a row is."""
    height_px: int
    care: list[str]


def shown(trace: Trace, data: Timeline) -> Shown:
    """How a trace's timeline is shown."""
    present = {kind for _, _, kind in data.seen.series}
    levels = 1 + max((level for _, level, _ in data.seen.series), default=0)
    lanes = max(len(trace.lanes), 1)
    one = "rank" if trace.ranked else "process"
    return Shown(
        data,
        [kind for number, kind in enumerate(data.kinds) if number in present],
        one if len({lane.rank for lane in trace.lanes}) == lanes else f"thread of a {one}",
        30 + min(620, max(180, lanes * (levels * 24 + 8 + 15 * (MARK in data.kinds)))),
        care_of(trace, data.fitted),
    )


def render(summary: Summary, timeline: Shown | None) -> str:
    """The page."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("weir.explain.page", "assets"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
    )
    environment.filters["share"] = format_share
    environment.filters["code"] = _with_code
    head = summary.head
    began = datetime.fromtimestamp(head.began_real_s, UTC)
    return environment.get_template("page.html.jinja").render(
        version=__version__,
        head=head,
        title=title_of(head),
        kicker=f"{head.source} · {where(head)} · {began:%Y-%m-%d %H:%M} UTC",
        sentence=sentence(summary),
        remarks=remarks_on(summary),
        sections=sections_of(summary),
        style=report_asset("style.css") + asset("page.css"),
        script=joined() if timeline else "",
        timeline=timeline,
    )


def _shown(value: object) -> object:
    """Text that came from elsewhere can hold anything; what the page's own parts hold is markup."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _with_code(words: str) -> Markup:
    """Words, with what stands in backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(words)))))
