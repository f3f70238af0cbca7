"""The lines of `samples.jsonl` that say what was read; pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from weir.reading.files import FileRead
from weir.reading.result import ReadCase, ReadLaunch, ReadSample
from weir.store.records import schema_of
from weir.study.case import Case, case_id

SOURCE = "source"
"""The option that tells whose results they are: the name that the person gave, or the machine as it was
printed."""
NO_MORE = "it was read from the output of {tool}: no more samples can be taken"


def lines_of(launches: Sequence[tuple[FileRead, ReadLaunch]]) -> Iterator[dict[str, Any]]:
    """All lines of samples.jsonl: the cases, then launch by launch what was measured, then their ends."""
    cases = _cases(launches)
    for case in cases.in_order():
        yield _line("case", case.as_data())
    taken: Counter[str] = Counter()
    for number, (one, launch) in enumerate(launches, start=1):
        yield _line("launch", _launch(one, launch), launch=number)
        for sample in launch.samples:
            case = cases.case_of(sample.case, one, launch)
            yield _line("sample", _sample(sample, case, taken[case.id]), launch=number)
            taken[case.id] += 1
        for failure in launch.failures:
            case = cases.case_of(failure.case, one, launch)
            words = {key: told(getattr(failure, key), one) for key in ("problem", "reason", "suggestion")}
            data = {"case": case.id, "benchmark": case.benchmark, "exit_code": failure.exit_code, **words}
            yield _line("failure", data, launch=number)
        for left in launch.left_out:
            data = {"label": left.label, "comparisons": [left.comparison], "why": told(left.why, one)}
            yield _line("left_out", data)
    for case in cases.in_order():
        yield _line("finished", _finished(case.id, taken[case.id], NO_MORE.format(tool=launches[0][0].tool)))


@dataclass
class _Cases:
    """The cases of a run, each with its place among them."""

    several_sources: bool
    functions: dict[str, int] = field(default_factory=dict)
    sources: dict[str | None, int] = field(default_factory=dict)
    _known: dict[str, tuple[tuple[object, ...], Case]] = field(default_factory=dict)

    def case_of(self, read: ReadCase, one: FileRead, launch: ReadLaunch) -> Case:
        """The case that a launch of a file measured."""
        source = source_of(one, launch)
        options = {**read.options, SOURCE: source}
        label = f"{read.label}, {source or 'unknown'}" if self.several_sources else read.label
        name = case_id(read.benchmark, read.ranks, {}, options)
        place = (
            self.functions.setdefault(read.comparison, len(self.functions)),
            read.order,
            self.sources.setdefault(source, len(self.sources)),
            len(self._known),
        )
        case = Case(name, read.benchmark, read.ranks, {}, options, None, (read.comparison,), label)
        return self._known.setdefault(name, (place, case))[1]

    def in_order(self) -> list[Case]:
        """By functions as they came, then by processes and size, then by source."""
        return [case for _, case in sorted(self._known.values(), key=lambda placed: placed[0])]


def _cases(launches: Sequence[tuple[FileRead, ReadLaunch]]) -> _Cases:
    sources = {source_of(one, launch) for one, launch in launches if launch.samples}
    cases = _Cases(len(sources) > 1)
    for one, launch in launches:
        of_samples = [sample.case for sample in launch.samples]
        for read in (*of_samples, *(failure.case for failure in launch.failures)):
            cases.case_of(read, one, launch)
    return cases


def source_of(one: FileRead, launch: ReadLaunch) -> str | None:
    """Whose results they are; null where nobody says it."""
    return one.named.name or launch.machine


def _line(kind: str, data: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"schema": schema_of(kind), "kind": kind, **data, **more}


def told(text: str, one: FileRead) -> str:
    """The text with the file's name in its place."""
    return text.replace("{file}", str(one.named.path))


def _launch(one: FileRead, launch: ReadLaunch) -> dict[str, Any]:
    return {
        "version": None,
        "started_at": launch.started_at,
        "ranks": launch.ranks,
        "mpi": {"standard": launch.mpi_standard},
        "read_from": provenance(one, launch),
    }


def provenance(one: FileRead, launch: ReadLaunch) -> dict[str, Any]:
    """Which output it was, and what that said of itself and of its machine."""
    where = {"tool": one.tool, "source": str(one.named.path), "sha256": one.sha256, "name": one.named.name}
    return {**where, **launch.facts}


def _sample(sample: ReadSample, case: Case, repetition: int) -> dict[str, Any]:
    return {
        "case": case.id,
        "benchmark": case.benchmark,
        "phase": sample.phase,
        "repetition": repetition,
        "started_at": None,
        "ranks": case.ranks,
        "elapsed_s": None,
        "metrics": [msgspec.to_builtins(metric) for metric in sample.metrics],
        "details": sample.details,
        "warnings": [msgspec.to_builtins(warning) for warning in sample.warnings],
    }


def _finished(case: str, samples: int, why: str) -> dict[str, Any]:
    return {"case": case, "verdict": "inconclusive" if samples else "failed", "samples": samples, "why": why}
