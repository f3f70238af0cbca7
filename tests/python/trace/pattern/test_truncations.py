"""What empties or shortens a file is no step: the pattern says so where the file stays longer by that."""

from pathlib import Path

import pytest

from weir.trace.pattern.recognise import recognise

from .test_order import written
from .traces import CREATE, READ_ONLY, UPDATE, Recording

EMPTIES = 0o1002
"""Flags of open(): O_RDWR and O_TRUNC."""
LOST = "1 time a file was emptied or shortened, which no step does: it stays longer than the program's"


def file_of_5000() -> Recording:
    recording = Recording(2)
    recording.open(0, "f")
    recording.write(0, "f", 0, 5000)
    return recording


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(("after", "lost"), [(10, [LOST]), (5000, [])])
def test_an_open_that_empties_a_file(rank: int, closed: bool, after: int, lost: list[str]) -> None:
    recording = file_of_5000()
    if closed:
        recording.close(0, "f")
    recording.session(rank, "f", ("write", 0, after), flags=EMPTIES)
    assert recognise(recording.trace()).reasons == lost


@pytest.mark.parametrize(
    ("length", "lost"),
    [(0, [LOST]), (4999, [LOST]), (5000, []), (6000, [])],
    ids=["0", "4999", "5000", "6000"],
)
def test_a_resize(length: int, lost: list[str]) -> None:
    recording = file_of_5000()
    recording.call(0, "resize", "f", length=length, result=0)
    recording.close(0, "f")
    assert recognise(recording.trace()).reasons == lost


def test_a_phase_begins_without_the_files_that_it_creates() -> None:
    recording = file_of_5000()
    recording.close(0, "f")
    recording.barrier()
    recording.open(0, "f")
    recording.write(0, "f", 0, 10)
    recording.call(0, "resize", "f", length=100, result=0)
    recording.close(0, "f")
    found = recognise(recording.trace())
    assert found.exact and not [why for why in found.left_out.counts if "longer" in why]


@pytest.mark.parametrize("kind", ["write", "resize"])
@pytest.mark.parametrize("flags", [0, READ_ONLY])
def test_what_is_written_through_another_open_is_open_for_writing(
    kind: str, flags: int, tmp_path: Path
) -> None:
    recording = Recording(1)
    recording.session(0, "f", ("write", 0, 100))
    recording.open(0, "f", flags)
    recording.open(0, "f", UPDATE)
    recording.call(0, kind, "f", 0 if kind == "write" else -1, 5000)
    recording.close(0, "f")
    recording.close(0, "f")
    steps = written(recording, tmp_path).phases[0].steps
    assert [step.open.mode for step in steps if step.open] == ["create", "update"]


def test_what_is_inherited_and_resized_is_open_for_writing(tmp_path: Path) -> None:
    recording = Recording(2)
    recording.open(0, "f", CREATE)
    recording.open(1, "f", 0)  # dup()
    recording.call(1, "resize", "f", length=5000, result=0)
    recording.close(range(2), "f")
    steps = written(recording, tmp_path).phases[0].steps
    assert {step.open.mode for step in steps if step.open} == {"create"}
