"""Ctrl-C, or the end of a batch job's time, in the middle of a phase: soon over, and no file stays."""

import signal
from pathlib import Path

import pytest

from ..interrupting import Patience, interrupted
from ..real_core import MIB, Done, names_in, storage, write_cases
from .shims import compile_shim

# Millions of requests in a few small files: much longer than any test waits.
LONG = {"block": 16 * MIB, "transfer": 8, "files": 8, "sync": "never", "read": False}
WAYS = {
    "posix": {"backend": "posix", "sync": "write"},
    "independent": {"backend": "mpiio"},
    "collective": {"backend": "mpiio", "collective": True},
}


# A disk that is busy with what was written: longer than mpirun waits before it kills.
SLOW_SYNC = """
#include <errno.h>
#include <time.h>
static int sleep_long(void) {
    struct timespec left = {20, 0};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
    return 0;
}
int fsync(int file) { (void)file; return sleep_long(); }
int fdatasync(int file) { (void)file; return sleep_long(); }
"""


def size_of(path: Path) -> int:
    """A file's bytes; 0 where it has gone since it was listed, as MPI-IO's files for locks do."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def stopped(ranks: int, stop: signal.Signals, **options: object) -> Done:
    """Start a long case, stop it when it writes."""
    return interrupted(
        write_cases(storage("long", **{**LONG, **options})),
        ranks=ranks,
        begun=lambda: any(size_of(path) > 0 for path in Path("store").iterdir()),
        patience=Patience(begin_s=60, before_s=0.1, end_s=15),
        stop=stop,
    )


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("way", WAYS)
def test_a_launch_is_stopped_in_the_middle_of_a_phase(place: Path, way: str, stop: signal.Signals) -> None:
    done = stopped(2, stop, **WAYS[way])
    assert done.code != 0, done.talk  # mpirun's own
    assert done.of("sample") == []
    assert all(line["exit_code"] == 130 for line in done.of("failure") + done.of("end"))
    assert names_in("store") == []


def test_a_rank_alone_says_that_it_was_interrupted(place: Path) -> None:
    done = stopped(1, signal.SIGINT).ended(130)
    assert [line["kind"] for line in done.lines] == ["launch", "state", "begin", "failure", "end"]
    assert [line["exit_code"] for line in done.lines[3:]] == [130, 130]
    assert "interrupted" in done.talk
    assert names_in("store") == []


@pytest.mark.parametrize("ranks", [1, 2])
def test_nothing_is_synced_any_more(place: Path, ranks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gigabytes that are not yet on the disk would take longer than anyone waits."""
    monkeypatch.setenv("LD_PRELOAD", compile_shim(SLOW_SYNC))
    done = stopped(ranks, signal.SIGTERM, sync="close")
    assert done.code != 0, done.talk
    assert "interrupted" in done.talk
    assert names_in("store") == []
