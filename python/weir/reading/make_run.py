"""A run directory of what was read: its lines follow from the files alone, and nothing of this machine is in
it."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

import weir
from weir.errors import ExitCode, WeirError, worst
from weir.files.refusals import no_room_told
from weir.files.write import write
from weir.reading.files import FileRead
from weir.reading.lines import lines_of, provenance, source_of, told
from weir.reading.result import ReadLaunch
from weir.store.lock import Lock
from weir.store.run_directory import RunDirectory, RunInfo, StudyWords
from weir.study.load import render_file
from weir.study.schema import ComparisonSection, StudyFile, StudySection
from weir.units import count_words

FIGURE = "sources"


@dataclass
class Made:
    """What went into a run."""

    run: RunDirectory
    launches: list[tuple[FileRead, ReadLaunch]]
    lines: list[dict[str, Any]] = field(default_factory=list)

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """Its lines of that kind."""
        return [line for line in self.lines if line["kind"] == kind]

    @property
    def notes(self) -> list[str]:
        """What the person should know of the files."""
        return list(dict.fromkeys(told(note, one) for one, launch in self.launches for note in launch.notes))

    @property
    def exit_code(self) -> ExitCode:
        """The greatest code of what is not to be believed; 0 if all is."""
        return ExitCode(worst([line["exit_code"] for line in self.of_kind("failure")]))


def make_run(out: Path, files: Sequence[FileRead], command: Sequence[str]) -> Made:
    """Write the run. Raises WeirError where something is in its place, or it cannot be written."""
    made = Made(RunDirectory(out), [(one, launch) for one in files for launch in one.launches])
    made.lines = list(lines_of(made.launches))
    run = made.run
    run.prepare()
    with Lock(run.lock_path):
        if run.exists():
            raise WeirError(
                f"'{out}' is a run already",
                "it has a run.json, and results are read into a new one",
                "choose another --out",
            )
        run.writer().close()
        for number, one in enumerate(files, start=1):
            _write(run.logs_path / f"read-{number:04}.txt", one.content)
        _write(run.samples_path, b"".join(msgspec.json.encode(line) + b"\n" for line in made.lines))
        run.create(_info(made, command), render_file(_study(made)))
    return made


def _write(path: Path, content: bytes) -> None:
    with no_room_told(path):
        write(path, content)


def _info(made: Made, command: Sequence[str]) -> RunInfo:
    now = datetime.datetime.now(datetime.UTC)
    study = _study(made).study
    return RunInfo(
        weir_version=weir.__version__,
        created_at=now.isoformat(timespec="milliseconds"),
        command=list(command),
        study=StudyWords(name=study.name, title=study.title),
        directory=None,
        machine=_card([launch for _, launch in made.launches]),
        read_from=[provenance(one, launch) for one, launch in made.launches],
    )


def _card(launches: Iterable[ReadLaunch]) -> dict[str, Any] | None:
    """What all outputs say alike of their machine; null where that is nothing."""
    said = {(launch.machine, launch.mpi_standard) for launch in launches}
    if len(said) != 1:
        return None
    machine, standard = said.pop()
    found = {"host": {"name": None, "kernel": machine}, "mpi": {"standard": standard}}
    return found if machine or standard else None


def _study(made: Made) -> StudyFile:
    """A study of the functions that were read, as comparisons: it says what there is, and runs nothing."""
    used = [(one, launch) for one, launch in made.launches if launch.samples]
    tools = " and ".join(dict.fromkeys(_tool_words(one, launch) for one, launch in used))
    files = count_words(len({one.named.path for one, _ in used}), "file")
    names = dict.fromkeys(name for line in made.of_kind("case") for name in line["comparisons"])
    figure = FIGURE if len({source_of(one, launch) for one, launch in used}) > 1 else None
    return StudyFile(
        StudySection(f"{used[0][0].tool.lower()}-output", f"Results of {tools}, read from {files}"),
        comparison=[ComparisonSection(name, name, figure=figure) for name in names],
    )


def _tool_words(one: FileRead, launch: ReadLaunch) -> str:
    return f"{one.tool} {launch.facts.get('version') or 'of unknown version'}"
