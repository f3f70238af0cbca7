"""A rank that goes on no more is named, the launch is ended long before it would have been for its silence,
what was measured stays, and the case is tried again."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from fakes import read_lines

from ..conftest import CORE, command, weir, write_study
from ..storage.shims import compile_shim
from .test_bad_luck import launched, ranks, samples_there, wait_for

LIMIT_S = 2
LIMIT = {"WEIR_STALL_LIMIT": f"{LIMIT_S}s"}
NO_SYNC = 'sync = "never"'
"""Other programs may keep the disk busy for longer than the limit."""
LONG = {"head": 'min_samples = 6\nmax_samples = 100000\nprecision = "0.001%"'}
ONCE_IN_PWRITE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
static void pause_for(long ms) {
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0) {
    }
}
static int of_rank_1(void) {
    const char* rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL) {
        rank = getenv("PMI_RANK");
    }
    return rank != NULL && rank[0] == '1';
}
void act(void);
static int writes;
static ssize_t act_and_write(int file, const void* data, size_t bytes, off_t at, const char* name) {
    ssize_t (*real)(int, const void*, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (of_rank_1() && bytes == 65536) {
        ++writes;
        act();
    }
    return real(file, data, bytes, at);
}
ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
    return act_and_write(file, data, bytes, at, "pwrite");
}
ssize_t pwrite64(int file, const void* data, size_t bytes, off_t at) {
    return act_and_write(file, data, bytes, at, "pwrite64");
}
"""
"""Calls `act` before each request of rank 1; the second repetition begins with the 17th."""
SLEEP = 'void act(void) { if (writes > 16 && mkdir("once", 0700) == 0) { pause_for(600000); } }'
SPIN = """
void spin(void) { for (;;) { __asm__ volatile(""); } }
void act(void) { if (writes > 16 && mkdir("once", 0700) == 0) { spin(); } }
"""
CRAWL = """
static int crawls;
void act(void) {
    crawls = writes == 1 ? mkdir("once", 0700) == 0 : crawls && writes <= 16;
    if (crawls) { pause_for(400); }
}
"""
"""Six seconds without a sample, where a tenth of one was expected."""


def core_with(act: str, place: Path) -> str:
    """A core whose rank 1 acts so before it writes."""
    shim = compile_shim(ONCE_IN_PWRITE + act)
    core = place / "core"
    core.write_text(f'#!/bin/sh\n[ "$1" = schema ] || export LD_PRELOAD={shim}\nexec {CORE} "$@"\n')
    core.chmod(0o755)
    return str(core)


def start(ranks_of_case: int) -> "subprocess.Popen[str]":
    """A run that goes on for long."""
    write_study("repetitions = 100000", f"ranks = {ranks_of_case}", NO_SYNC, **LONG)
    env = {**os.environ, **LIMIT}
    return subprocess.Popen(command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def stop(rank: int, *, after_samples: int) -> None:
    wait_for(lambda: samples_there(after_samples))
    names = {f"{name}={rank}".encode() for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK")}
    (pid,) = (pid for pid in ranks() if names & {*Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")})
    os.kill(pid, signal.SIGSTOP)


def test_a_rank_that_is_stopped_twice(place: Path) -> None:
    process = start(2)
    stop(1, after_samples=3)
    wait_for(lambda: len(read_lines(place / "RUN", "died")) == 1)
    stop(1, after_samples=len(read_lines(place / "RUN", "sample")) + 3)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 3, talk
    assert "the launch stalled while this case ran, 2 times in a row" in talk
    (failure,) = read_lines(place / "RUN", "failure")
    assert (failure["exit_code"], failure["rank"]) == (3, 1)
    assert f"rank 1 on {failure['host']}, process " in failure["reason"]
    assert "is stopped by a signal" in failure["reason"]
    assert failure["case"] == read_lines(place / "RUN", "case")[0]["case"]
    assert len(read_lines(place / "RUN", "sample")) >= 6
    assert list(Path("store").iterdir()) == []
    assert launched() == []


def test_a_stopped_rank_that_would_speak_for_its_node(place: Path) -> None:
    process = start(4)
    stop(0, after_samples=3)
    wait_for(lambda: len(read_lines(place / "RUN", "died")) == 1)
    wait_for(lambda: read_lines(place / "RUN", "sample")[-1]["launch"] == 2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    (died,) = read_lines(place / "RUN", "died")
    assert died["rank"] == 0 and "is stopped by a signal" in died["reason"]
    # Not always in the same call: it may stop while others are still in the one before.
    waiting = re.findall(r"(\d+) ranks wait in MPI_", died["reason"])
    assert sum(map(int, waiting)) + len(re.findall(r"rank \d+ waits in MPI_", died["reason"])) == 3
    assert launched() == []


@pytest.mark.parametrize(
    ("act", "words"), [(SLEEP, "waits outside MPI"), (SPIN, "computes in spin")], ids=["sleeps", "spins"]
)
def test_a_rank_that_never_returns_from_a_call(place: Path, act: str, words: str) -> None:
    write_study("repetitions = 3", NO_SYNC)
    done = weir(WEIR_CORE=core_with(act, place), **LIMIT)
    assert done.returncode in (0, 5), done.stderr
    (died,) = read_lines(place / "RUN", "died")
    assert died["rank"] == 1 and words in died["reason"] and "pwrite" in died["reason"]
    assert "rank 0 waits in MPI_" in died["reason"]
    assert [line["launch"] for line in read_lines(place / "RUN", "sample")].count(1) >= 1
    assert read_lines(place / "RUN", "failure") == []
    assert len(read_lines(place / "RUN", "sample")) >= 12
    assert launched() == []


def test_a_slow_case_that_goes_on_is_left_alone(place: Path) -> None:
    write_study("read = false", NO_SYNC, head="min_samples = 2\nmax_samples = 2")
    done = weir(WEIR_CORE=core_with(CRAWL, place), **LIMIT)
    assert done.returncode in (0, 5), done.stderr
    assert read_lines(place / "RUN", "died") == []
    slowest_s = max(line["elapsed_s"] for line in read_lines(place / "RUN", "sample"))
    assert slowest_s > 2 * LIMIT_S, "else it proves nothing"
    assert '"kind":"progress"' in Path("RUN/logs/launch-0001.stderr").read_text()


def test_a_limit_that_is_no_time_is_refused_before_anything_is_made(place: Path) -> None:
    write_study()
    done = weir(WEIR_STALL_LIMIT="soon")
    assert done.returncode == 2
    assert "WEIR_STALL_LIMIT is 'soon'" in done.stderr
    assert not Path("RUN").exists()
