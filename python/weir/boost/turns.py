"""Runs a command without and with the library in turns, each time from its beginning to its end."""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from weir.boost.comparison import Pair, Trial
from weir.boost.launches import Launch, read_launches
from weir.boost.run import LIBRARY, VARIABLE
from weir.errors import ExitCode, WeirError
from weir.files.plain import read_plain
from weir.launch.process import Exit, execute
from weir.preload import find_library, passed_on, preloading
from weir.trace.record.program import cannot_begin, check_command

SETTING, REPORT = "WEIR_BOOST", "WEIR_BOOST_REPORT"
NEVER, USUAL = "never", "auto"
WITHOUT, BOOSTED = "without", "boosted"
LAST_WORDS = 20
"""Lines of a program that failed."""

Execute = Callable[[Sequence[str], dict[str, str], Path, Callable[[bytes], None]], Exit]


@dataclass(frozen=True)
class Ran:
    """A run that went well."""

    number: int
    """From 1 on, of all."""
    side: str
    trial: Trial


class ProgramFailed(WeirError):
    """A run did not end well; `last_words` are what the program said at its end."""

    def __init__(self, problem: str, why: str, last_words: Sequence[str]) -> None:
        above = "; its last lines are above" if last_words else ""
        advice = f"run it by itself: it must be repeatable{above}"
        super().__init__(problem, why, advice, ExitCode.CASE_FAILED)
        self.last_words = tuple(last_words)


def order_of(repetitions: int) -> Iterator[str]:
    """Which side runs when: without, boosted, boosted, without, and so on, so that neither is always
    first."""
    for pair in range(repetitions):
        yield from (WITHOUT, BOOSTED) if pair % 2 == 0 else (BOOSTED, WITHOUT)


def _execute(
    words: Sequence[str], environment: dict[str, str], errors: Path, on_line: Callable[[bytes], None]
) -> Exit:
    return execute(words, environment, stderr_path=errors, silence_limit_s=lambda: math.inf, on_line=on_line)


@dataclass
class Turns:
    """A command that is run many times. `pairs` are those that are whole, whatever becomes of the rest."""

    command: Sequence[str]
    repetitions: int
    execute: Execute = _execute
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        check_command(self.command, "boost --compare")
        self._library = find_library(LIBRARY, VARIABLE)
        self._ran: list[Ran] = []

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """In the order in which they ran."""
        sides = {side: [one.trial for one in self._ran if one.side == side] for side in (WITHOUT, BOOSTED)}
        return tuple(Pair(*both) for both in zip(sides[WITHOUT], sides[BOOSTED], strict=False))

    def run(self) -> Iterator[Ran]:
        """Run all, and yield what each gave. Raises WeirError as soon as one fails, or there is nothing to
        compare."""
        for number, side in enumerate(order_of(self.repetitions), 1):
            with _scratch() as folder:
                ran = Ran(number, side, self._run_once(number, side, folder))
            self._check(ran)
            self._ran.append(ran)
            yield ran

    def _run_once(self, number: int, side: str, folder: Path) -> Trial:
        usual = os.environ.get(SETTING) or USUAL
        ours = {SETTING: NEVER if side == WITHOUT else usual, REPORT: str(folder)}
        environment = preloading(self._library, ours, os.environ, VARIABLE)
        words = passed_on(self.command, environment)
        said: deque[bytes] = deque(maxlen=LAST_WORDS)
        errors = folder / "errors"
        began = self.clock()
        try:
            ended = self.execute(words, environment, errors, said.append)
        except OSError as error:
            raise cannot_begin(words[0], error) from None
        took_s = self.clock() - began
        if ended.code != 0:
            raise self._failed(number, side, str(ended), said, errors)
        try:
            return Trial(took_s, read_launches(folder))
        except (OSError, msgspec.DecodeError) as error:
            raise self._failed(number, side, f"its report cannot be read: {error}", said, errors) from None

    def _failed(self, number: int, side: str, why: str, said: Sequence[bytes], errors: Path) -> ProgramFailed:
        told: list[bytes] = []
        with suppress(OSError, WeirError):
            told = read_plain(errors).splitlines()[-LAST_WORDS:]
        words = [line.decode(errors="replace") for line in [*said, *told]]
        return ProgramFailed(
            f"run {number} of {2 * self.repetitions}, {side}, failed", f"the program {why}", words
        )

    def _check(self, ran: Ran) -> None:
        launches = ran.trial.launches
        expected = len(self._ran[0].trial.launches) if self._ran else max(1, len(launches))
        if len(launches) != expected:
            raise WeirError(
                f"run {ran.number} cannot be compared",
                f"it left {len(launches)} reports, not {expected}: does each launch of ranks end with "
                "MPI_Finalize, and does its first rank see this folder?",
                "run it where that is so",
                ExitCode.CASE_FAILED,
            )
        if why := _nothing_to_compare(launches):
            raise WeirError("there is nothing to compare", *why, ExitCode.INCONCLUSIVE)


def _nothing_to_compare(launches: Sequence[Launch]) -> tuple[str, str] | None:
    """Why, and what to do; null if there is."""
    if any(one.collective for one in launches):
        return None
    if other := next((one.other_mpi for one in launches if one.other_mpi), ""):
        return f"the library was built for another MPI than {other}", "build Weir with the program's MPI"
    if one := next((one for one in launches if one.pnetcdf_has_own_driver), None):
        why = f"PnetCDF {one.pnetcdf} moves data by a driver of its own, without MPI-IO"
        return why, "its hint nc_driver=mpiio brings MPI-IO back; measure whether that is faster"
    alone = sum(one.independent_calls for one in launches)
    if alone:
        return f"all {alone} MPI-IO calls on shared files are independent", "make them collective"
    return "no collective MPI-IO call was made on a file that ranks share", ""


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder that is removed at the end, here if that is permitted, since ranks of other nodes rather see
    this place than that of temporary files."""
    try:
        made = tempfile.TemporaryDirectory(prefix=".weir-boost-", dir=Path.cwd())
    except OSError:
        made = tempfile.TemporaryDirectory(prefix="weir-boost-")
    with made as name:
        yield Path(name)
