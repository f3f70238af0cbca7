"""Bad luck, with the real core: it is recorded, what was measured before is kept, no file stays."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes import read_lines

from ..conftest import CORE, WEIR, command, in_mount_namespace, processes, weir, write_study

AXES = 'axes = { transfer = ["4KiB", "64KiB"] }'


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def samples_there(count: int) -> bool:
    path = Path("RUN/samples.jsonl")
    return path.exists() and path.read_text().count('"kind":"sample"') >= count


def start_long_run(**more: str) -> subprocess.Popen[str]:
    """A run whose only case goes on for long and has given samples."""
    write_study("repetitions = 100000", **more)
    process = subprocess.Popen(command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: samples_there(10))
    return process


def launched() -> list[int]:
    return processes("RUN/logs/launch-")


def ranks() -> list[int]:
    return [pid for pid in launched() if Path(f"/proc/{pid}/comm").read_text().strip() == "weir-core"]


def test_a_disk_that_fills_up_in_the_middle(place: Path) -> None:
    write_study('block = "2MiB"\ncheck_space = false', axes=AXES)
    begun = 'until grep -q \'"kind":"sample"\' RUN/samples.jsonl; do sleep 0.02; done'
    fill = "for i in $(seq 200); do cat /dev/zero >> store/filler; sleep 0.02; done"
    done = in_mount_namespace(
        f"mount -t tmpfs -o size=6m none store; ({begun}; {fill}) 2>/dev/null & "
        f"{WEIR} run study.toml --out RUN --dir store; code=$?; wait; ls store; exit $code"
    )
    assert done.returncode == 3, done.stderr
    assert "No space left on device" in done.stderr
    assert done.stdout.splitlines()[-1] == "filler"
    failures = read_lines(place / "RUN", "failure")
    assert failures and all("No space left" in failure["reason"] for failure in failures)
    assert len(read_lines(place / "RUN", "sample")) >= 1


def test_a_rank_that_is_killed_twice(place: Path) -> None:
    never_enough = 'min_samples = 6\nmax_samples = 100000\nprecision = "0.001%"'
    process = start_long_run(head=never_enough)
    os.kill(ranks()[-1], signal.SIGKILL)
    wait_for(lambda: len(read_lines(place / "RUN", "died")) == 1)
    before = len(read_lines(place / "RUN", "sample"))
    wait_for(lambda: samples_there(before + 1))
    os.kill(ranks()[-1], signal.SIGKILL)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 3, talk
    assert "the launch ended while this case ran, 2 times in a row" in talk
    assert "rank 1 was killed by signal 9 (SIGKILL)" in talk
    failure = read_lines(place / "RUN", "failure")[0]
    assert (failure["exit_code"], failure["signal"], failure["rank"]) == (3, 9, 1)
    assert failure["case"] == read_lines(place / "RUN", "case")[0]["case"]
    assert len(read_lines(place / "RUN", "sample")) >= 10
    assert list(Path("store").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_rank_killed_in_the_first_launch_costs_no_case(place: Path, number: int) -> None:
    """Before any case begins, as while it touches memory."""
    core = place / "core"
    core.write_text(
        "#!/bin/sh\n"
        f'[ "$OMPI_COMM_WORLD_RANK" = 1 ] && mkdir {place}/once 2>/dev/null && kill -{int(number)} $$\n'
        f'exec {CORE} "$@"\n'
    )
    core.chmod(0o755)
    write_study(axes=AXES)
    done = weir(WEIR_CORE=str(core))
    assert done.returncode in (0, 5), done.stderr
    # Of a rank that dies before MPI starts, mpirun does not always tell which one it was.
    assert re.search(rf"launch 1 died: .*\b(a rank|rank 1) was killed by signal {int(number)}", done.stderr)
    assert read_lines(place / "RUN", "failure") == []
    assert len(read_lines(place / "RUN", "sample")) == 2 * 2 * 6


def test_an_interrupt_ends_all_ranks_and_removes_the_files(place: Path) -> None:
    process = start_long_run()
    pids = launched()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert list(Path("store").iterdir()) == []
    assert not set(pids) & set(launched())
    assert read_lines(place / "RUN", "failure") == []


def test_the_driver_killed_then_the_same_command_again(place: Path) -> None:
    process = start_long_run()
    process.kill()
    process.communicate()
    wait_for(lambda: not launched())
    assert len(list(Path("store").iterdir())) == 1
    before = read_lines(place / "RUN", "sample")
    write_study()  # the same case but for the repetitions, which would take too long to finish here
    again = weir()
    assert again.returncode in (0, 5), again.stderr
    assert "left behind by a run that was killed" in again.stderr
    assert list(Path("store").iterdir()) == []
    assert read_lines(place / "RUN", "sample")[: len(before)] == before


def test_a_run_that_goes_on_elsewhere_says_so(place: Path) -> None:
    write_study()
    weir()
    run = json.loads(Path("RUN/run.json").read_text())
    run["machine"]["host"]["name"] = "another"
    Path("RUN/run.json").write_text(json.dumps(run))
    write_study("repetitions = 3")
    again = weir()
    assert "this run began on host 'another'" in again.stderr, again.stderr


@pytest.mark.parametrize("backend", ["posix", "mpiio"])
def test_finished_cases_are_skipped_after_a_kill(place: Path, backend: str) -> None:
    axes = 'axes = { ranks = [1, 2], transfer = ["4KiB", "64KiB"] }'
    write_study(f'backend = "{backend}"', axes=axes, head="min_samples = 2\nmax_samples = 2")
    process = subprocess.Popen(command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: samples_there(6))
    process.kill()
    process.wait()
    wait_for(lambda: not launched())
    before = read_lines(place / "RUN", "sample")
    assert weir().returncode in (0, 5)
    after = read_lines(place / "RUN", "sample")
    assert after[: len(before)] == before
    counts = {(line["case"], line["phase"]) for line in after}
    assert len(counts) == 8
    assert {line["verdict"] for line in read_lines(place / "RUN", "finished")} <= {"precise", "inconclusive"}
    lines = Path("RUN/samples.jsonl").read_bytes()
    assert weir().returncode in (0, 5)
    assert Path("RUN/samples.jsonl").read_bytes() == lines
