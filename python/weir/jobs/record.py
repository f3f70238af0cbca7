"""The folder `jobs` of a run: the scripts of its jobs, what they said, and `jobs.jsonl`: which were handed
in, and when they began and ended."""

import datetime
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from weir.batch.base import JobPlace
from weir.bounded_parsing import MIB
from weir.errors import ExitCode, Interrupted, WeirError
from weir.files.plain import read_plain
from weir.files.refusals import no_room_told
from weir.files.walk import make_own_folder
from weir.files.write import write
from weir.store.lines import LineWriter, decode, repair
from weir.store.lock import Lock
from weir.store.run_directory import RunDirectory

SCHEMA = 1
MOST_BYTES = 64 * MIB
T = TypeVar("T")


class _Line(msgspec.Struct, tag_field="kind"):
    """What happened to a job at that time. Raises ValueError for what is no time, and for what no job has."""

    at: str
    id: str

    def __post_init__(self) -> None:
        try:
            datetime.datetime.fromisoformat(self.at).astimezone()
        except OverflowError as error:
            raise ValueError(f"no time of a job: {self.at}") from error
        if not self.id.isprintable():
            raise ValueError(f"no number of a job: {self.id!r}")


class Submitted(_Line, tag="submitted"):
    """A job was handed in."""

    system: str
    name: str
    script: str
    log: str
    cases: int = 0
    """Of the whole study."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name.isprintable():
            raise ValueError(f"no name of a job: {self.name!r}")


class Began(_Line, tag="began"):
    """The command of a job began, on that host; again where the job was begun anew. `nodes`: all that the job
    has, where the batch system says so."""

    host: str
    restarts: int = 0
    nodes: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.host + self.nodes).isprintable():
            raise ValueError(f"no nodes of a job: {self.host!r}, {self.nodes!r}")


class Ended(_Line, tag="ended"):
    """The command of a job ended with that exit code."""

    exit_code: int


@dataclass
class KnownJob:
    """What the run holds of one of its jobs."""

    submitted: Submitted
    begun: list[Began] = field(default_factory=list)
    ended: Ended | None = None
    """Of its last beginning; None while that goes on, and where it was killed."""


class JobFolder:
    """The folder of the run at that path."""

    def __init__(self, run: Path) -> None:
        self.path = RunDirectory(run).jobs_path
        self.lines_path = self.path / "jobs.jsonl"

    def jobs(self) -> list[KnownJob]:
        """All that were ever handed in, the oldest first; none where there is no such folder."""
        found: dict[str, KnownJob] = {}
        for line in self._lines():
            match line:
                case Submitted():
                    found[line.id] = KnownJob(line)
                case Began() if line.id in found:
                    found[line.id].begun.append(line)
                    found[line.id].ended = None
                case Ended() if line.id in found:
                    found[line.id].ended = line
        return list(found.values())

    def has_lines(self) -> bool:
        """Whether anything was ever noted."""
        return self.lines_path.exists()

    def handing_in(self) -> Lock:
        """Only one process at a time hands in jobs of the run. Raises WeirError where another one does."""
        make_own_folder(self.path, follow=False)
        return Lock(self.path / "lock", f"the folder of jobs '{self.path}'")

    def next_number(self) -> int:
        """Of the next script."""
        numbers = [path.stem.removeprefix("job-") for path in self.path.glob("job-*.sh")]
        return max((int(number) for number in numbers if number.isdigit()), default=0) + 1

    def script_path(self, number: int) -> Path:
        """Of the script of that number; what its job says is beside it."""
        return self.path / f"job-{number:04}.sh"

    def study_path(self, number: int) -> Path:
        """Of the study that jobs from that number on read: it stays as it was when they were handed in."""
        return self.path / f"study-{number:04}.toml"

    def write(self, path: Path, content: bytes) -> None:
        """A script or a study. Raises WeirError where it cannot be written."""
        with no_room_told(path):
            make_own_folder(self.path, follow=False)
            write(path, content)

    def note(self, line: Submitted | Began | Ended) -> None:
        """Append a line. Raises WeirError where it cannot be written."""
        with suppress(FileNotFoundError):
            repair(self.lines_path)  # of a job that was killed
        with LineWriter(self.lines_path) as writer:
            writer.append({"schema": SCHEMA, **msgspec.to_builtins(line)})

    def carry_out(self, here: JobPlace | None, work: Callable[[], T], code_of: Callable[[T], int]) -> T:
        """What the work gives. Its beginning and its end are noted where this process is of one of the
        run's jobs."""
        if here is None or here.id not in [job.submitted.id for job in self.jobs()]:
            return work()
        self.note(Began(now(), here.id, socket.gethostname(), here.restarts, here.nodes))
        code = int(ExitCode.INTERNAL)
        try:
            found = work()
            code = code_of(found)
        except (Interrupted, KeyboardInterrupt):
            code = int(ExitCode.INTERRUPTED)
            raise
        except WeirError as error:
            code = int(error.exit_code)
            raise
        finally:
            self.note(Ended(now(), here.id, code))
        return found

    def _lines(self) -> Iterator[Submitted | Began | Ended]:
        try:
            content = read_plain(self.lines_path, MOST_BYTES)
        except FileNotFoundError:
            return
        for text in content.splitlines():
            decoded = decode(text)
            with suppress(msgspec.ValidationError):
                yield msgspec.convert(decoded, Submitted | Began | Ended)


def now() -> str:
    """The time, in UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
