"""Ctrl-C, or the end of a batch job's time, in the middle of a phase: soon over, and no file stays."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .conftest import children_of
from .real_core import MIB, core_command, names_in, storage, write_cases
from .shims import compile_shim

# Millions of requests in a few small files: much longer than any test waits.
LONG = {"block": 16 * MIB, "transfer": 8, "files": 8, "sync": "never", "read": False}
SOON_S = 15.0
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


def interrupted(ranks: int, stop: signal.Signals, **options: object) -> tuple[int, str, str]:
    """Start a long case, stop it when it writes; exit code, standard output and talk."""
    command = core_command(write_cases(storage("long", **{**LONG, **options})), ranks=ranks)
    process = subprocess.Popen(
        command.argv,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **command.env},
    )
    try:
        deadline = time.monotonic() + 60
        while not any(size_of(path) > 0 for path in Path("store").iterdir()):
            assert time.monotonic() < deadline and process.poll() is None, "it never wrote"
            time.sleep(0.02)
        time.sleep(0.1)
        assert process.poll() is None, "the case was too short"
        # The ranks themselves: mpirun would kill those that take long to end, in the middle of removing.
        for rank in [process.pid] if ranks == 1 else children_of(process.pid):
            os.kill(rank, stop)
        out, talk = process.communicate(timeout=SOON_S)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate(timeout=5)
    return process.returncode, out, talk


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("way", WAYS)
def test_a_launch_is_stopped_in_the_middle_of_a_phase(place: Path, way: str, stop: signal.Signals) -> None:
    code, out, talk = interrupted(2, stop, **WAYS[way])
    assert code != 0, talk  # mpirun's own
    lines = [json.loads(line) for line in out.splitlines()]
    assert "sample" not in [line["kind"] for line in lines]
    assert all(line["exit_code"] == 130 for line in lines if line["kind"] in ("failure", "end"))
    assert names_in("store") == []


def test_a_rank_alone_says_that_it_was_interrupted(place: Path) -> None:
    code, out, talk = interrupted(1, signal.SIGINT)
    assert code == 130, talk
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["kind"] for line in lines] == ["launch", "begin", "failure", "end"]
    assert [line["exit_code"] for line in lines[2:]] == [130, 130]
    assert "interrupted" in talk
    assert names_in("store") == []


@pytest.mark.parametrize("ranks", [1, 2])
def test_nothing_is_synced_any_more(place: Path, ranks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gigabytes that are not yet on the disk would take longer than anyone waits."""
    monkeypatch.setenv("LD_PRELOAD", compile_shim(SLOW_SYNC))
    code, _, talk = interrupted(ranks, signal.SIGTERM, sync="close")
    assert code != 0, talk
    assert "interrupted" in talk
    assert names_in("store") == []
