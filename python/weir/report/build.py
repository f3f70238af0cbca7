"""The report as data: everything the page shows, in its order."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import Any

import msgspec

from weir.answers.data import screen_data
from weir.answers.screen import Screen
from weir.figures.figure import Drawing
from weir.machine.describe import Group, describe
from weir.report.cases import (
    CaseLine,
    Columns,
    CommonFlags,
    FurtherLine,
    HintLine,
    RequestLine,
    case_lines,
    columns_of,
    common_flags,
    further_lines,
    hint_lines,
    request_lines,
)
from weir.report.crowding import without_crowding
from weir.report.first_screen import first_screen
from weir.report.gather import Contents
from weir.report.headline_rows import headline_rows
from weir.report.machine_states import states_data
from weir.report.notes import notes
from weir.report.samples_picture import samples_picture
from weir.report.section import Section, claims_in_short, make_sections, sections_data
from weir.results.row_data import row_data
from weir.results.summary import RunSummary
from weir.units import count_words

PICTURE = "picture"
"""The name of the study's own figure where it stands on the first screen."""
FAILURE_KEYS = ("case", "exit_code", "problem", "reason", "suggestion")


@dataclass(frozen=True)
class DiedLaunch:
    """A launch that did not come to its own end and was tried again, with the cases that it is laid to."""

    launch: int | None
    cases: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Report:
    """All that is on the page."""

    contents: Contents
    screen: Screen
    picture: Drawing | None
    """Of the first screen."""
    notes: tuple[str, ...]
    """What the screen's caveats count, in full."""
    claims: str
    """How many claims of others hold; empty where there are none."""
    sections: tuple[Section, ...]
    machine: tuple[Group, ...]
    columns: Columns
    lines: tuple[CaseLine, ...]
    further: tuple[FurtherLine, ...]
    requests: tuple[RequestLine, ...]
    hints: tuple[HintLine, ...]
    died: tuple[DiedLaunch, ...]
    reproduce: str
    warnings: tuple[Mapping[str, str], ...]
    """Those that the notes do not say already."""
    conditions: str
    """What most figures would say of their conditions: it is said once, above them."""
    flags: CommonFlags
    """What holds for most cases: it is said once, above their table."""

    @property
    def drawings(self) -> list[Drawing]:
        """All figures that could be drawn."""
        return [part.drawing for part in self.sections if part.drawing and part.drawing.panels]

    @property
    def all_drawings(self) -> list[Drawing]:
        """The picture of the first screen, and the figures."""
        return [*([self.picture] if self.picture else []), *self.drawings]


def build(contents: Contents) -> Report:
    """The report of a run's contents; pure."""
    sections = make_sections(contents)
    headline = headline_rows(contents.rows)
    whole = next((part.drawing for part in sections if part.name == contents.figure), None)
    columns = columns_of(contents.rows)
    flags = common_flags(contents.rows)
    return Report(
        contents=contents,
        screen=first_screen(contents, sections, headline),
        picture=replace(whole, name=PICTURE) if whole and whole.panels else samples_picture(headline),
        notes=tuple(notes(contents)),
        claims=claims_in_short(sections),
        sections=tuple(sections),
        machine=tuple(describe(contents.machine, storage=contents.on_storage)),
        columns=columns,
        lines=tuple(case_lines(contents.rows, columns, flags)),
        further=tuple(further_lines(contents.rows)),
        requests=tuple(request_lines(contents.rows)),
        hints=tuple(hint_lines(contents.rows)),
        died=tuple(_died(contents.summary)),
        reproduce=_command_words(contents.info.command),
        warnings=tuple(without_crowding(contents.rows, contents.warnings)),
        conditions=_shared_conditions(sections),
        flags=flags,
    )


def _shared_conditions(sections: Sequence[Section]) -> str:
    """The conditions that most figures name alike; empty where no two do."""
    said = Counter(
        section.drawing.finding.conditions
        for section in sections
        if section.drawing and section.drawing.finding.conditions
    )
    words, times = next(iter(said.most_common(1)), ("", 0))
    return words if times > 1 else ""


def _died(summary: RunSummary) -> Iterator[DiedLaunch]:
    for died in summary.died:
        known = [summary.cases[case] for case in died.cases if case in summary.cases]
        names = [f"case {one.label or one.case} ({count_words(one.ranks, 'rank')})" for one in known]
        yield DiedLaunch(died.launch, tuple(names) or ("a case that is not known",), died.reason or "unknown")


def _command_words(command: list[str]) -> str:
    """The command as a person would type it, wherever the program lay."""
    return shlex.join([PurePath(command[0]).name, *command[1:]]) if command else "unknown"


def as_data(report: Report) -> dict[str, Any]:
    """The report for `--json`: headline, findings and rows with plain numbers in the unit of their key."""
    return {
        "headline": {**screen_data(report.screen), "claims": report.claims, "notes": list(report.notes)},
        **sections_data(report.sections),
        "left_out": [msgspec.to_builtins(item) for item in report.contents.summary.left_out],
        "warnings": report.contents.warnings,
        "failures": [
            {key: getattr(failure, key) for key in FAILURE_KEYS}
            for failure in report.contents.summary.failures
        ],
        "died": [asdict(launch) for launch in report.died],
        "rows": [row_data(row) for row in report.contents.rows],
        "machine_states": states_data(report.contents.summary),
    }
