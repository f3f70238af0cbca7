"""The folder that a run is: what ran (`run.json`, `study.toml`), its samples, its logs; read as it is, or
redacted for others."""

import datetime
import itertools
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded_parsing import MIB, MOST_TOML_BYTES, decode_json
from weir.errors import ExitCode, WeirError, system_errors
from weir.files.named import why_no_folder
from weir.files.plain import open_plain, read_plain
from weir.files.refusals import no_folder, no_room_told
from weir.files.walk import check_own_folder, make_own_folder
from weir.files.write import DRAFT, write
from weir.redaction import Redactor
from weir.site.load import site
from weir.store.lines import Damage, LineWriter, decode, repair
from weir.store.records import AnyRecord, CaseRecord, sample_of, to_record

SCHEMA = 2
READ_SCHEMAS = (1, 2)
"""A run of schema 1 may have samples of the first schema; they are migrated as they are read."""
MOST_INFO_BYTES = 64 * MIB


RUNS = Path("runs")
"""Where runs go that are given no place, where the site says nothing else."""


def runs_folder() -> Path:
    """The folder of runs: that of the site, else `runs` in the current directory."""
    return site().directories.runs or RUNS


def new_run(name: str, now: datetime.datetime) -> Path:
    """A new run in there, named by what ran and the time, and numbered where one of that name is there."""
    first = runs_folder() / f"{name}-{now:%Y%m%d-%H%M%S}"
    others = (first.with_name(f"{first.name}-{number}") for number in itertools.count(2))
    return next(one for one in itertools.chain([first], others) if not os.path.lexists(one))


class StudyWords(msgspec.Struct, kw_only=True):
    """What `run.json` says of the study; all of it is in `study.toml`."""

    name: str
    title: str = ""


class RunInfo(msgspec.Struct, kw_only=True, omit_defaults=False):
    """`run.json`: what ran, where and with what; written once."""

    schema: int = SCHEMA
    weir_version: str
    created_at: str
    command: list[str]
    study: StudyWords
    directory: str | None
    scratch: list[str] = []
    mark: str = ""
    """What the markers in the scratch directories say: that this run made them."""
    stripes: list[dict[str, Any]] = []
    """Of the directories on a file system with stripes, and of what cases ask for there."""
    machine: dict[str, Any] | None = None
    core: dict[str, Any] | None = None
    read_from: list[dict[str, Any]] | None = None
    """The outputs of another benchmark that the run was read from; null where Weir measured it."""
    simulated_on: str | None = None
    """The machine that a model stands for; null where a real one ran."""


def host_of(card: Mapping[str, Any] | None) -> str:
    """The name of the host of a machine card; empty where it is not known."""
    return str(((card or {}).get("host") or {}).get("name") or "")


@dataclass
class Reading:
    """What was read of a run's samples: the records in their order, and what could not be read."""

    records: list[AnyRecord] = field(default_factory=list)
    damaged_lines: list[int] = field(default_factory=list)


class RunDirectory:
    """Paths and files of one run. Opening for writing is `create` or `reopen`, under a `Lock` of
    `lock_path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock_path = path / "lock"
        self.samples_path = path / "samples.jsonl"
        self.study_path = path / "study.toml"
        self.logs_path = path / "logs"
        self.model_path = self.logs_path / "machine.toml"
        """Of a simulated run, the model of its machine."""
        self.patterns_path = path / "patterns"
        """What cases carry out in place of their benchmarks; made before the run itself."""
        self.jobs_path = path / "jobs"
        """The scripts of its jobs, and when these began and ended; made before the run itself too."""
        self._info_path = path / "run.json"

    @property
    def name(self) -> str:
        """What the run is called: the name of its folder."""
        return self.path.resolve().name

    def exists(self) -> bool:
        """Whether a run has been created here."""
        return self._info_path.exists()

    def prepare(self) -> None:
        """Make the folder. Raises WeirError where it cannot be made, or holds something that is not a run."""
        known = ("lock", "calibration-", "pattern.json", "pattern-benchmark.", "pattern-application.", DRAFT)
        with system_errors(f"cannot make the run directory '{self.path}'", "choose another --out"):
            make_own_folder(self.path)
            names = [p.name for p in self.path.iterdir() if p not in (self.patterns_path, self.jobs_path)]
            others = [name for name in names if not name.startswith(known)]
        if others and not self.exists() and "logs" not in others:
            raise WeirError(
                f"'{self.path}' is not a run",
                f"it holds '{sorted(others)[0]}' but no run.json",
                "choose a new directory for --out",
            )

    def check_own(self) -> None:
        """Raises WeirError if the folder is there and belongs to another user, before anything is done."""
        with suppress(OSError):
            check_own_folder(self.path)

    def create(self, info: RunInfo, study_text: str) -> None:
        """Write what ran. `run.json` comes last and in one step: where it is, the run is whole."""
        self.writer().close()
        self.write_study(study_text)
        encoded = msgspec.json.format(msgspec.json.encode(info), indent=2)
        with no_room_told(self._info_path):
            write(self._info_path, encoded + b"\n")

    def write_study(self, text: str) -> None:
        """Replace the study as resolved."""
        with no_room_told(self.study_path):
            write(self.study_path, text.encode())

    def study_text(self) -> str:
        """The study as resolved; empty where there is none."""
        try:
            return read_plain(self.study_path, MOST_TOML_BYTES).decode()
        except FileNotFoundError:
            return ""

    def model_text(self) -> str:
        """The model that the run was simulated on; empty where there is none, or it cannot be read."""
        try:
            return read_plain(self.model_path, MOST_TOML_BYTES).decode()
        except (OSError, UnicodeDecodeError):
            return ""

    def repair(self) -> Damage | None:
        """Cut a damaged end off the samples; None if there was none. Only for the holder of the lock."""
        return repair(self.samples_path)

    def writer(self) -> LineWriter:
        """The way to append to the samples; the logs have their folder then. Raises WeirError where something
        else stands in the place of one of them."""
        try:
            with no_room_told(self.logs_path):
                make_own_folder(self.logs_path, follow=False)
        except NotADirectoryError as error:
            raise no_folder(self.logs_path) from error
        return LineWriter(self.samples_path)

    def info(self) -> RunInfo:
        """What ran. Raises WeirError if this is no run, or one of a newer Weir."""
        try:
            raw = decode_json(read_plain(self._info_path, MOST_INFO_BYTES))
            if not isinstance(raw, dict):
                raise self._damaged("it is no JSON object")
            schema = raw.get("schema")
            if isinstance(schema, int) and schema > SCHEMA:
                raise self._of_a_newer_weir(schema)
            if schema not in READ_SCHEMAS:
                raise self._damaged(f"its schema is {schema!r}")
            return msgspec.convert(raw, RunInfo)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise WeirError(
                f"'{self.path}' is not a run",
                why_no_folder(self.path) or "it has no run.json",
                "give the directory that `weir run --out` made",
            ) from error
        except OSError as error:
            raise WeirError(
                f"cannot read '{self._info_path}'",
                error.strerror or str(error),
                "see to it that you may read it",
            ) from error
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise self._damaged(str(error)) from error

    def read(self) -> Reading:
        """All records of the run. Lines that cannot be read are counted, not fatal."""
        reading = Reading()
        reading.records.extend(self.stream(reading.damaged_lines))
        return reading

    def stream(self, damaged_lines: list[int] | None = None) -> Iterator[AnyRecord]:
        """The records one by one, for runs that memory should not hold whole; numbers of lines that cannot be
        read are appended to `damaged_lines`."""
        for number, line in enumerate(self._lines(), start=1):
            if (sample := sample_of(line)) is not None:
                yield sample
                continue
            decoded = decode(line)
            try:
                record = to_record(decoded) if decoded is not None else None
            except msgspec.ValidationError:
                decoded, record = None, None
            if decoded is None and damaged_lines is not None:
                damaged_lines.append(number)
            if record is not None:
                yield record

    def next_launch_number(self) -> int:
        """One more than the greatest launch number that left a log."""
        numbers = [int(p.stem.removeprefix("launch-")) for p in self.logs_path.glob("launch-*.json")]
        return max(numbers, default=0) + 1

    def _lines(self) -> Iterator[bytes]:
        try:
            with open_plain(self.samples_path) as file:
                yield from file
        except FileNotFoundError:
            return

    def _damaged(self, why: str) -> WeirError:
        return WeirError(
            f"'{self._info_path}' is damaged",
            why,
            f"put a copy of it in its place; what was measured is in '{self.samples_path.name}' beside it",
        )

    def _of_a_newer_weir(self, schema: int) -> WeirError:
        return WeirError(
            f"cannot read '{self._info_path}'",
            f"its schema is {schema}, and this Weir reads {SCHEMA}",
            "use the Weir that made it",
        )


class RedactedRun(RunDirectory):
    """The run in a directory, each text that is read of it redacted. Nothing is written to it."""

    def __init__(self, path: Path, redactor: Redactor | None = None) -> None:
        super().__init__(path)
        self._redactor = redactor or Redactor([*_hosts(super().info()), *self._nodes()])

    def _nodes(self) -> list[str]:
        """The hosts that its cases were run on one by one."""
        cases = (one for one in super().stream() if isinstance(one, CaseRecord))
        return [*dict.fromkeys(one.node for one in cases if one.node)]

    def info(self) -> RunInfo:
        """What ran."""
        plain: dict[str, Any] = msgspec.to_builtins(super().info())
        study = plain.pop("study")  # its name and title are the author's words for the study
        return msgspec.convert({**self._redactor.tree(plain), "study": study}, RunInfo)

    def study_text(self) -> str:
        """The study, with the paths in it replaced."""
        return self._redactor.text(super().study_text())

    def model_text(self) -> str:
        """The model, with the names in it replaced."""
        return self._redactor.text(super().model_text())

    def stream(self, damaged_lines: list[int] | None = None) -> Iterator[AnyRecord]:
        """The records."""
        for record in super().stream(damaged_lines):
            yield msgspec.convert(self._redactor.tree(msgspec.to_builtins(record)), type(record))


@contextmanager
def removal_told(path: Path) -> Iterator[None]:
    """Inside, a run is used by the command that made it. Raises WeirError where something fails since
    somebody has removed the run."""
    try:
        yield
    except (OSError, WeirError):
        check_not_removed(path)
        raise


def check_not_removed(path: Path) -> None:
    """Raises WeirError if the run is gone that this command has made."""
    if not RunDirectory(path).exists():
        raise WeirError(
            f"the run '{path}' was removed while it was being made",
            "its folder is gone, or has another name",
            "let nobody touch a run before its command ends, and give the same command again",
            ExitCode.CASE_FAILED,
        )


def open_run(path: Path, *, redact: bool) -> RunDirectory:
    """The run in a directory, redacted or as it is. Raises WeirError if one to be redacted is no run."""
    return RedactedRun(path) if redact else RunDirectory(path)


def _hosts(info: RunInfo) -> list[str]:
    """The names that the machine's host goes by, and those given to results that were read."""
    machine = info.machine or {}
    sections = (machine.get("host"), machine.get("core"))
    found = {
        str(section.get(key) or "")
        for section in sections
        if isinstance(section, dict)
        for key in ("name", "host")
    }
    found |= {str(one.get("name") or "") for one in info.read_from or []}
    return [name for name in found if len(name) > 1]
