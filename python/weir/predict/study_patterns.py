"""The patterns that cases of a study carry out in place of their benchmarks, made as `weir predict` makes
them."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from weir.core.client import Core
from weir.core.schema import Schema
from weir.errors import WeirError
from weir.measure.launch_watch import case_entry
from weir.mimic.derive import Change
from weir.mimic.imitation import Imitation
from weir.mimic.presets import presets
from weir.mimic.words import what_is_lost
from weir.pattern import Pattern, Step, Sync
from weir.predict.by_benchmark import Forecasting, forecasting
from weir.predict.passes import DIRECTIONS
from weir.replay.prepare import ReplayRequest, write_pattern
from weir.store.records import FailureRecord, ReplayRecord
from weir.study.case import Case, Replay
from weir.study.patterns import DERIVED, IMITATION, ITSELF, NONE, WORKLOAD, Workload
from weir.workloads import workloads


@dataclass(frozen=True)
class StudyPatterns:
    """Makes patterns for cases, as files of a folder, which is made if need be."""

    folder: Path
    core: Core
    before: Callable[[], None] = lambda: None
    """Done before the first file is written."""
    _made: dict[str, Forecasting] = field(default_factory=dict)
    """By the application's case and what is made of its parameters."""

    @cached_property
    def _schema(self) -> Schema:
        return self.core.schema()

    def __call__(self, case: Case) -> Replay:
        """The pattern of a case, and what it cannot express. Raises WeirError for a preset or a workload that
        there is not, and for a benchmark without a pattern."""
        by = case.options.get(IMITATION, NONE)
        change = None if by in (NONE, ITSELF, DERIVED) else presets.find(by)
        if not self._made:
            self.before()
        key = json.dumps([case.benchmark, case.ranks, case.options | {IMITATION: change and by}])
        made = self._made[key] = self._made.get(key) or self._forecasting(case, change)
        exact = by in (NONE, ITSELF)
        carried = made.application if exact else made.benchmark
        assert carried is not None  # it was to be verified
        kept = (self.folder / f"{case.id}.json").absolute()
        carried.write(kept)
        record = ReplayRecord(
            fidelity=1.0 if exact else made.imitation.fidelity.overall,
            lost={} if exact else _lost(made.imitation),
            preparing=carried.preparing,
        )
        return Replay({**self._kept(case), "pattern": str(kept)}, record)

    def _forecasting(self, case: Case, change: Change | None) -> Forecasting:
        with tempfile.TemporaryDirectory(prefix="weir-") as folder:
            path = Path(folder) / "pattern.json"
            write_pattern(self._own(case), path)
            request = ReplayRequest(path, backend=str(case.options.get("backend", "posix")))
            return forecasting(request, self.core, change=change, verify=True, cache="keep")

    def _own(self, case: Case) -> Pattern:
        """The application's pattern."""
        if WORKLOAD in case.options:
            asked = msgspec.convert(case.options[WORKLOAD], Workload)
            pattern = workloads.find(asked.name)(case.ranks, asked.size)
            return _synced(pattern) if asked.sync else pattern
        entry = {**case_entry(case, str(Path().absolute())), "ranks": case.ranks}
        answer = self.core.describe([entry])[case.id]
        if isinstance(answer, FailureRecord):
            raise WeirError(answer.problem, answer.reason or "", answer.suggestion or "")
        if answer.pattern is None:
            raise WeirError(
                f"benchmark '{case.benchmark}' has no pattern",
                "it does no I/O that one could describe",
                "imitate an application, or a case of storage",
            )
        return answer.pattern

    def _kept(self, case: Case) -> dict[str, Any]:
        """The case's options that are not of its pattern, as far as the storage benchmark has them."""
        shared = self._shared_by(case.benchmark) & self._shared_by("storage")
        return {name: value for name, value in case.options.items() if name in shared}

    def _shared_by(self, benchmark: str) -> set[str]:
        found = self._schema.benchmark(benchmark)
        return {option.name for option in found.options if option.is_not_of_the_pattern} if found else set()


def _lost(imitation: Imitation) -> dict[str, dict[str, list[str]]]:
    found = {
        phase.name: {way: words for way in DIRECTIONS if (words := what_is_lost(imitation, [phase], way))}
        for phase in imitation.phases
    }
    return {name: lost for name, lost in found.items() if lost}


def _synced(pattern: Pattern) -> Pattern:
    """The same, with a sync before each close."""

    def with_sync(step: Step) -> list[Step]:
        return [step] if step.close is UNSET else [Step(sync=Sync(file=step.close.file)), step]

    phases = [
        msgspec.structs.replace(phase, steps=[one for step in phase.steps for one in with_sync(step)])
        for phase in pattern.phases
    ]
    return msgspec.structs.replace(pattern, phases=phases)
