"""From a run's records to what the report speaks of: rows by figure, failures, warnings."""

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from weir.bounded_parsing import decode_toml
from weir.core.vocabulary import vocabularies
from weir.errors import WeirError, message
from weir.machine.describe import describe
from weir.machine.rules import speaks_of_storage
from weir.report.machine_states import judged_again
from weir.report.model import ModelValue, model_values
from weir.results.marks import Mark, marks_of
from weir.results.printed import Printed, printed_of
from weir.results.row import Row
from weir.results.summary import RunSummary, summarise
from weir.store.run_directory import RunDirectory, RunInfo
from weir.study.schema import StudyFile, names_asked


@dataclass
class Contents:
    """A run, ready to be reported."""

    info: RunInfo
    study_text: str
    summary: RunSummary
    rows: list[Row]
    """Those of the summary, with the tables that others printed of the same case."""
    warnings: list[dict[str, str]]
    comparisons: list[dict[str, Any]]
    source: str
    """The paper that the study repeats; empty where it repeats none."""
    damaged_lines: list[int]
    machine: dict[str, Any]
    """The machine card; empty where the run has none, or one that is damaged."""
    parts: list[dict[str, Any]] = field(default_factory=list)
    """Those of the study that share its time."""
    figure: str = ""
    """The figure of all its cases; empty where the study has none."""
    model: tuple[ModelValue, ...] = ()
    """The values that a simulated run rests on."""

    @property
    def samples(self) -> int:
        """How many samples have a number."""
        return sum(len(row.samples) for row in self.summary.rows)

    @property
    def cut(self) -> int | None:
        """How many cases of a simulation lack their end, and so lost samples: it was written whole. Null of
        what was measured."""
        if not self.info.simulated_on:
            return None
        return len(self.summary.cases) - len(self.summary.finished) if self.summary.cases else 1

    @property
    def on_storage(self) -> bool:
        """Whether any case uses files."""
        return _on_storage(self.rows)

    @property
    def comparisons_by_figure(self) -> dict[str, list[str]]:
        """Names of the comparisons that ask for each figure."""
        asking: dict[str, list[str]] = {}
        for comparison in self.comparisons:
            for asked in names_asked(comparison.get("figure")):
                asking.setdefault(asked, []).append(comparison["name"])
        return asking

    @property
    def rows_by_figure(self) -> dict[str, list[Row]]:
        """Rows of each figure that the study asks for, that of all its cases first."""
        asked = self.comparisons_by_figure.items()
        found = {figure: _of_comparisons(names, self.rows) for figure, names in asked}
        return {self.figure: self.rows} | found if self.figure else found


def _on_storage(rows: list[Row]) -> bool:
    """Also where there is no case at all: then nothing is known."""
    return not rows or any(row.on_storage and row.node is None for row in rows)


def _of_comparisons(names: list[str], rows: list[Row]) -> list[Row]:
    """The rows of these comparisons, in their order, each once; of its comparisons each knows these alone."""
    found = {(row.case, row.phase): row for name in names for row in rows if name in row.comparisons}
    return [
        replace(row, comparisons=tuple(name for name in row.comparisons if name in names))
        for row in found.values()
    ]


def gather(run: RunDirectory) -> Contents:
    """Everything that a report needs of a run; raises WeirError if it is not one."""
    info = run.info()
    reading = run.read()
    study_text, study = _study(run)
    summary = summarise(reading.records, vocabularies(info.core))
    machine, doubts = _card(info)
    comparisons = study.get("comparison", [])
    printed = {part["name"]: printed_of(part) for part in comparisons}
    marks = {part["name"]: marks_of(part) for part in comparisons}
    return Contents(
        info=info,
        study_text=study_text,
        summary=summary,
        rows=[_with_printed(row, printed, marks) for row in summary.all_rows],
        warnings=[*_warnings(machine, summary), *doubts],
        comparisons=comparisons,
        source=study.get("study", {}).get("source", ""),
        damaged_lines=reading.damaged_lines,
        machine=machine,
        parts=study.get("part", []),
        figure=study.get("study", {}).get("figure", ""),
        model=model_values(run.model_text()) if info.simulated_on else (),
    )


def _study(run: RunDirectory) -> tuple[str, dict[str, Any]]:
    """The study as it was resolved, as text and as a tree; nothing where the run has none."""
    try:
        text = run.study_text()
        tree = decode_toml(text)
        if text:
            msgspec.convert(tree, StudyFile)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise WeirError(
            f"cannot read '{run.study_path}'", str(error), "copy the run again from where it was made"
        ) from error
    return text, tree


def _with_printed(row: Row, printed: dict[str, list[Printed]], marks: dict[str, list[Mark]]) -> Row:
    tables = [table for name in row.comparisons for table in printed.get(name, [])]
    points = [mark for name in row.comparisons for mark in marks.get(name, [])]
    return replace(row, printed=tuple(tables), marks=tuple(points)) if tables or points else row


_MALFORMED = (TypeError, KeyError, ValueError, AttributeError, IndexError, ArithmeticError)


def _card(info: RunInfo) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The run's machine card, if it is one that can be described, and a warning where it is not."""
    card = info.machine or {}
    try:
        describe(card)
        for warning in card.get("warnings", []):
            message(warning["problem"], warning["why"], warning["advice"]), hash(warning["code"])
        (card.get("host") or {}).get("name")
    except _MALFORMED as error:
        why = f"what run.json says of it is damaged: {type(error).__name__}: {error}"
        return {}, [
            {"code": "damaged-card", "problem": "the machine is not described", "why": why, "advice": ""}
        ]
    return card, []


def _warnings(machine: dict[str, Any], summary: RunSummary) -> list[dict[str, str]]:
    """What the machine card and the launches warn of; a code that both know is said once, in the launch's
    words.
    """
    launched = [
        {"code": w.code, "problem": w.problem, "why": w.why, "advice": w.advice}
        for w in summary.launch_warnings
    ]
    said = {warning["code"] for warning in launched}
    cpu = machine.get("cpu") or {}
    cores = cpu.get("usable") or cpu.get("threads") or 0
    if "oversubscribed" in said or (cores and all(row.ranks <= cores for row in summary.rows)):
        said.add("spinning")
    card = [warning for warning in machine.get("warnings", []) if warning["code"] not in said]
    card = [dict(found) for one in card if (found := judged_again(one, summary)) is not None]
    if not _on_storage(summary.all_rows):
        card = [warning for warning in card if not speaks_of_storage(warning["code"])]
    return launched + card
