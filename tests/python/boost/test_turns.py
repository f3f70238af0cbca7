"""Runs in turns, by a fake that runs nothing and leaves reports as the library does."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from weir.boost.launches import Launch, read_launches
from weir.boost.run import LIBRARY, VARIABLE
from weir.boost.turns import REPORT, SETTING, ProgramFailed, Turns, order_of
from weir.errors import ExitCode, WeirError
from weir.launch.process import Exit

COMMAND = ("true",)
TAKEN = Launch(1, 2, {"taken": 2}, taken_s=0.5)


@pytest.fixture(autouse=True)
def _library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / LIBRARY).touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path / LIBRARY))
    monkeypatch.delenv(SETTING, raising=False)
    monkeypatch.chdir(tmp_path)


class Fake:
    """Leaves these launches in each run, and ends with these codes: the last one again and again."""

    def __init__(self, launches: Sequence[Launch], codes: Sequence[int] = (0,)) -> None:
        self.settings: list[str] = []
        self._launches, self._codes = launches, codes

    def __call__(
        self, words: Sequence[str], given: dict[str, str], errors: Path, on_line: Callable[[bytes], None]
    ) -> Exit:
        run = len(self.settings)
        self.settings.append(given[SETTING])
        for at, launch in enumerate(self._launches):
            (Path(given[REPORT]) / f"node-{at}.json").write_bytes(msgspec.json.encode(launch))
        on_line(b"said")
        errors.write_text("complained\n")
        return Exit(self._codes[min(run, len(self._codes) - 1)])


def clock() -> Callable[[], float]:
    """A second a run."""
    ticks: Iterator[float] = iter(range(1000))
    return lambda: next(ticks)


def test_each_side_is_first_in_every_other_pair() -> None:
    assert list(order_of(3)) == ["without", "boosted", "boosted", "without", "without", "boosted"]


def test_runs_take_turns_and_leave_nothing_behind(tmp_path: Path) -> None:
    fake = Fake([TAKEN, TAKEN])
    turns = Turns(COMMAND, 2, fake, clock())
    assert [ran.number for ran in turns.run()] == [1, 2, 3, 4]
    assert fake.settings == ["never", "auto", "auto", "never"]
    assert [(one.without.io_s, one.boosted.whole_s) for one in turns.pairs] == [(1, 1)] * 2
    assert [path.name for path in tmp_path.iterdir()] == [LIBRARY]


def test_the_settings_of_the_person_hold_for_boosted_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "always")
    fake = Fake([TAKEN])
    list(Turns(COMMAND, 1, fake).run())
    assert fake.settings == ["never", "always"]


def test_the_first_failure_ends_it_and_shows_last_words() -> None:
    turns = Turns(COMMAND, 6, Fake([TAKEN], [0, 0, 7]))
    with pytest.raises(ProgramFailed, match="run 3 of 12, boosted, failed") as caught:
        list(turns.run())
    assert caught.value.exit_code == ExitCode.CASE_FAILED
    assert caught.value.last_words == ("said", "complained")
    assert len(turns.pairs) == 1


@pytest.mark.parametrize(
    ("launches", "why", "code"),
    [
        ([], "it left 0 reports, not 1", ExitCode.CASE_FAILED),
        ([Launch(1, 2)], "no collective MPI-IO call", ExitCode.INCONCLUSIVE),
        ([Launch(1, 2, independent_calls=9)], "all 9 MPI-IO calls", ExitCode.INCONCLUSIVE),
        ([Launch(1, 2, other_mpi="MPICH 4")], "another MPI than MPICH 4", ExitCode.INCONCLUSIVE),
        (
            [Launch(1, 2, pnetcdf="1.15.0", pnetcdf_has_own_driver=True)],
            "PnetCDF 1.15.0 moves data by a driver of its own",
            ExitCode.INCONCLUSIVE,
        ),
    ],
    ids=["no MPI_Finalize", "no MPI-IO", "independent", "other MPI", "PnetCDF"],
)
def test_what_cannot_be_compared_is_told_after_one_run(
    launches: list[Launch], why: str, code: ExitCode
) -> None:
    fake = Fake(launches)
    with pytest.raises(WeirError) as caught:
        list(Turns(COMMAND, 6, fake).run())
    assert why in str(caught.value)
    assert (caught.value.exit_code, len(fake.settings)) == (code, 1)


def test_a_damaged_report_is_no_internal_error(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"schema": 1, "ranks": "many"}')
    with pytest.raises(msgspec.DecodeError):
        read_launches(tmp_path)
    (tmp_path / "a.json").write_text('{"schema": 2, "ranks": 1}')
    with pytest.raises(msgspec.DecodeError, match="version"):
        read_launches(tmp_path)


def test_drafts_of_reports_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".weir-node-1.json").write_text("{")
    assert read_launches(tmp_path) == ()
