"""Finds `weir-core`, and asks it the questions that need no launcher."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from weir.core.schema import PROTOCOL, Description, DescriptionLine, Schema
from weir.errors import ExitCode, WeirError
from weir.files.cache import cache_folder, identity, keep
from weir.files.plain import read_own
from weir.files.write import naming
from weir.pattern import Pattern
from weir.store.records import FailureRecord
from weir.units import count_words

PROGRAM = "weir-core"
VARIABLE = "WEIR_CORE"


def find_core() -> Path:
    """The `weir-core` to use: WEIR_CORE if set, else from PATH, else what was built in this checkout.

    Raises WeirError where there is none, or where WEIR_CORE names no program.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise WeirError(
                f"{VARIABLE} is '{named}'", "that is no program", "set it to the path of weir-core"
            )
        return Path(found).resolve()
    on_path = shutil.which(PROGRAM)
    if on_path:
        return Path(on_path).resolve()
    for parent in Path(__file__).resolve().parents:
        built = parent / "build" / "release" / "bin" / PROGRAM
        if os.access(built, os.X_OK):
            return built
    raise WeirError(
        f"cannot find {PROGRAM}",
        "it is neither in PATH nor built in this checkout",
        f"build it with `make build`, or set {VARIABLE} to its path",
    )


LONGEST_ANSWER_S = 120
LONGEST_SIMULATION_S = 3600
FEWEST_A_PROCESS = 1000
"""Cases that a process describes; starting one takes as long as some hundred of them."""
T = TypeVar("T")


class Core:
    """A `weir-core` program on this machine. All methods raise WeirError where it does not answer as
    agreed."""

    def __init__(self, program: Path, cache: Path | None = None) -> None:
        self.program = program
        self._cache = cache if cache is not None else cache_folder()

    def schema(self) -> Schema:
        """What the program can do; asked once for each build of it."""
        return msgspec.convert(self.raw_schema(), Schema)

    def raw_schema(self) -> dict[str, Any]:
        """The same as it came."""
        kept = self._cache / f"schema-{identity(self.program)}.json"
        try:
            return self._checked(read_own(kept))
        except (OSError, WeirError):
            answer = self._ask("schema")
            found = self._checked(answer)
            keep(kept, answer)
            return found

    def machine(self) -> dict[str, Any]:
        """The `machine` line: topology, first-touch times, MPI."""
        return self._checked(self._ask("machine"))

    def describe(self, cases: Sequence[dict[str, Any]]) -> dict[str, Description | FailureRecord]:
        """What each of the cases would do, or why it cannot, by case id. The cases carry `ranks`.

        Very many are shared out among as many processes as this one may use cores.
        """
        if not cases:
            return {}
        parts = max(1, min(len(os.sched_getaffinity(0)), len(cases) // FEWEST_A_PROCESS))
        each = -(-len(cases) // parts)
        shares = [cases[begin : begin + each] for begin in range(0, len(cases), each)]
        if len(shares) == 1:
            return self._described(cases)
        with ThreadPoolExecutor(len(shares)) as threads:
            return {
                name: one for found in threads.map(self._described, shares) for name, one in found.items()
            }

    def _described(self, cases: Sequence[dict[str, Any]]) -> dict[str, Description | FailureRecord]:
        with tempfile.NamedTemporaryFile("wb", suffix=".json", prefix="weir-") as file:
            with naming(file.name):
                file.write(msgspec.json.encode({"schema": PROTOCOL, "cases": cases}))
                file.flush()
            answer = self._ask("describe", file.name)
        found = {str(line.case): line for line in self._lines(answer)}
        missing = [case["id"] for case in cases if case["id"] not in found]
        if missing:
            raise self._misbehaves(
                f"it described all but {len(missing)} of {count_words(len(cases), 'case')}"
            )
        return found

    def prepare(self, pattern: Path, *, ranks: int | None, gaps: bool) -> Pattern:
        """The pattern of that file as it is replayed: for so many ranks, with or without its gaps, with a
        phase in front that makes the files that it only finds. Raises WeirError for a pattern that is not
        right, or does not scale so."""
        wanted = ["--ranks", str(ranks)] if ranks is not None else []
        answer = self._ask("prepare", str(pattern), *wanted, *([] if gaps else ["--no-gaps"]))
        found = self._decoded(answer)
        self._refused(found)
        return self._converted(found, Pattern, "its answer is no pattern")

    def emit_pattern(self, application: str, options: Sequence[str], ranks: int) -> bytes:
        """The pattern of that application on so many ranks, as JSON. Raises WeirError where it refuses its
        options."""
        many = ["--emit-pattern", "--pattern-ranks", str(ranks)]
        answer = self._ask(application, *options, *many)
        if answer.startswith(b'{"schema"'):
            self._refused(self._decoded(answer))
        return answer

    def simulate(self, request: dict[str, Any], kind: type[T]) -> T:
        """What a pattern takes on a modelled machine. Raises WeirError for one that cannot be carried out
        there."""
        with tempfile.NamedTemporaryFile("wb", suffix=".json", prefix="weir-") as file:
            with naming(file.name):
                file.write(msgspec.json.encode(request))
                file.flush()
            answer = self._ask("simulate", file.name, most_s=LONGEST_SIMULATION_S)
        found = self._decoded(answer)
        self._refused(found)
        return self._converted(found, kind, "its answer is no simulation")

    @staticmethod
    def _refused(answer: dict[str, Any]) -> None:
        if answer.get("kind") == "failure":
            raise _refusal(msgspec.convert(answer, FailureRecord))

    def _lines(self, answer: bytes) -> Iterator[Description | FailureRecord]:
        for line in answer.splitlines():
            if (description := _description_of(line)) is not None:
                yield description
                continue
            raw = self._checked(line)
            if raw.get("kind") == "description":
                raise self._misbehaves(f"its description is none: {line[:80].decode(errors='replace')}")
            if raw.get("kind") == "failure":
                failure = msgspec.convert(raw, FailureRecord)
                if failure.case is None:
                    raise _refusal(failure)
                yield failure

    def _converted(self, raw: dict[str, Any], kind: type[T], problem: str) -> T:
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            raise self._misbehaves(f"{problem}: {error}") from error

    def _ask(self, *arguments: str, most_s: float = LONGEST_ANSWER_S) -> bytes:
        try:
            done = subprocess.run(
                [str(self.program), *arguments], capture_output=True, timeout=most_s, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise self._misbehaves(f"`{arguments[0]}` failed: {error}") from error
        if not done.stdout.strip():
            talk = done.stderr.decode(errors="replace").strip().splitlines()
            last = talk[-1] if talk else "it printed nothing"
            raise self._misbehaves(f"`{arguments[0]}` ended with {done.returncode}: {last}")
        return done.stdout

    def _decoded(self, text: bytes) -> dict[str, Any]:
        try:
            return msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise self._misbehaves(f"its answer is not JSON: {error}") from error

    def _checked(self, text: bytes) -> dict[str, Any]:
        answer = self._decoded(text)
        if answer.get("schema") != PROTOCOL:
            raise self._misbehaves(f"it speaks schema {answer.get('schema')}, this Weir speaks {PROTOCOL}")
        return answer

    def _misbehaves(self, why: str) -> WeirError:
        return WeirError(
            f"cannot use '{self.program}'", why, "build it again with `make build`", ExitCode.USAGE
        )


_decoder = msgspec.json.Decoder(DescriptionLine)


def _description_of(line: bytes) -> Description | None:
    """That of a line which is one; null for another line, or one that is not right."""
    try:
        found = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if found.schema == PROTOCOL else None


def _refusal(failure: FailureRecord) -> WeirError:
    return WeirError(failure.problem, failure.reason or "", failure.suggestion or "")
