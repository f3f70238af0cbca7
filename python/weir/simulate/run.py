"""A run directory of simulations: cases, samples and a study like those of other results."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

import weir
from weir.errors import WeirError
from weir.files.refusals import no_room_told
from weir.files.write import write
from weir.measure.stopping_rule import Verdict
from weir.simulate.model import Machine
from weir.simulate.result import Simulation
from weir.simulate.samples import samples_of
from weir.simulate.settings import Settings
from weir.simulate.write import machine_text
from weir.store.lock import Lock
from weir.store.records import schema_of
from weir.store.run_directory import RunDirectory, RunInfo, StudyWords
from weir.study.case import Case, case_id
from weir.study.load import render_file
from weir.study.schema import ComparisonSection, StudyFile, StudySection
from weir.units import count_words

BENCHMARK = "simulation"
ONE = "it was simulated: more samples would be the same"


@dataclass(frozen=True)
class Variant:
    """A machine as it is, or with a change, in words; and what was simulated on it."""

    machine: Machine
    results: Sequence[Simulation]
    change: str = ""


@dataclass(frozen=True)
class Simulated:
    """A pattern on a machine, for some numbers of ranks; the machine as it is comes first."""

    pattern: str
    """Its name."""
    settings: Settings
    variants: Sequence[Variant]

    @property
    def machine(self) -> Machine:
        """As it is."""
        return self.variants[0].machine

    @property
    def title(self) -> str:
        """Of the study."""
        return f"{self.pattern} simulated on {self.machine.name}"


def write_run(out: Path, found: Simulated, command: Sequence[str]) -> RunDirectory:
    """Write the run. Raises WeirError where something is in its place, or it cannot be written."""
    run = RunDirectory(out)
    run.prepare()
    with Lock(run.lock_path):
        if run.exists():
            raise WeirError(f"'{out}' is a run already", "it has a run.json", "choose another --out")
        run.writer().close()
        lines = [msgspec.json.encode(line) + b"\n" for line in _lines(found)]
        with no_room_told(run.samples_path):
            write(run.samples_path, b"".join(lines))
            write(run.model_path, machine_text(found.machine).encode())
        run.create(_info(found, command), render_file(_study(found)))
    return run


def _lines(found: Simulated) -> list[dict[str, Any]]:
    results = [(_case(found, variant, one), one) for variant in found.variants for one in variant.results]
    lines = [_line("case", case.as_data()) for case, _ in results]
    for number, (case, one) in enumerate(results, start=1):
        lines.append(_line("launch", {"ranks": one.ranks}, launch=number))
        of_case = {"case": case.id, "benchmark": BENCHMARK, "ranks": one.ranks}
        lines += [_line("sample", {**of_case, **sample}, launch=number) for sample in samples_of(one)]
    ends = [{"case": case.id, "verdict": Verdict.SIMULATED, "samples": 1, "why": ONE} for case, _ in results]
    return lines + [_line("finished", end) for end in ends]


def _line(kind: str, data: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"schema": schema_of(kind), "kind": kind, **data, **more}


def _case(found: Simulated, variant: Variant, one: Simulation) -> Case:
    options = {"pattern": found.pattern, "machine": found.machine.name, **found.settings.on(variant.machine)}
    options |= {"change": variant.change or None}
    words = [count_words(one.ranks, "rank"), variant.change]
    name = case_id(BENCHMARK, one.ranks, {}, options)
    return Case(name, BENCHMARK, one.ranks, {}, options, None, (BENCHMARK,), ", ".join(filter(None, words)))


def _study(found: Simulated) -> StudyFile:
    """One that says what there is, and runs nothing."""
    return StudyFile(
        StudySection(BENCHMARK, found.title, figure=BENCHMARK),
        comparison=[ComparisonSection(BENCHMARK, "Simulated", figure="utilisation")],
    )


def _info(found: Simulated, command: Sequence[str]) -> RunInfo:
    now = datetime.datetime.now(datetime.UTC)
    study = _study(found).study
    return RunInfo(
        weir_version=weir.__version__,
        created_at=now.isoformat(timespec="milliseconds"),
        command=list(command),
        study=StudyWords(name=study.name, title=study.title),
        directory=None,
        simulated_on=found.machine.file.title,
    )
