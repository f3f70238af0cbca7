"""What ranks write on their own between collective requests is in the pattern, and leaves those whole."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from weir.trace.names import Call
from weir.trace.pattern.recognise import Recognised, recognise
from weir.trace.pattern.steps.step import One, Repeated, Step
from weir.trace.pattern.write import write_pattern

from .expansion import core_or_skip, expand, original_names
from .traces import Recording

RANKS, TURNS = 4, 6
TOGETHER = {
    kind: Call("MPI-IO", f"MPI_File_{name}", kind)
    for kind, name in {"open": "open", "write": "write_at_all", "close": "close"}.items()
}
PRINT = Call("STDIO", "fwrite", "write")


def together(
    recording: Recording, kind: str, offset: int = -1, lengths: Sequence[int] = (0,) * RANKS
) -> None:
    """All ranks at once, each behind the one before it."""
    begin, call = recording.now, TOGETHER[kind]
    for rank, length in enumerate(lengths):
        recording.now = begin + rank
        recording.call(
            rank, kind, "/s/data", offset, length, flags=1, took=100, call=call, result=length or 3
        )
        offset += length
    recording.now = begin + 200


def collectives(steps: list[Step], times: int = 1) -> list[tuple[int, ...]]:
    """The ranks of each collective step, as often as it is made."""
    found: list[tuple[int, ...]] = []
    for step in steps:
        if isinstance(step, Repeated):
            found += collectives(step.body, step.count)
        elif isinstance(step, One) and step.what.collective and step.what.moves:
            found.append(tuple(step.ranks.tolist()))
    return found * times


def written(found: Recognised, folder: Path) -> list[list[tuple[str, int, int]]]:
    """Each rank's writes in their order: file, offset and length."""
    write_pattern(found, folder / "P.json")
    result = []
    for rank, operations in enumerate(expand(folder / "P.json", found.ranks)):
        names = original_names(found, rank)
        result.append([(names[file], at, length) for what, file, at, length in operations if what == "write"])
    return result


def recorded(recording: Recording) -> list[list[tuple[str, int, int]]]:
    """The same of the trace."""
    return [
        [
            (recording.files[row[5]].name, row[2], row[3])
            for row in rows
            if recording.calls[row[6]].kind == "write"
        ]
        for rows in recording.rows
    ]


@pytest.mark.parametrize("opened", ["by the program", "by a shell before it"])
@pytest.mark.parametrize("who", ["one", "all", "in turn", "sometimes"])
def test_output_between_collective_requests(who: str, opened: str, tmp_path: Path) -> None:
    core_or_skip()
    recording, end = Recording(RANKS), 0
    recording.open(0, "/s/out", call=Call("STDIO" if opened == "by the program" else "POSIX", "open", "open"))
    together(recording, "open")
    for turn in range(TURNS):
        together(recording, "write", 400 * turn, (100,) * RANKS)
        ranks = {"one": [0], "all": range(RANKS), "in turn": [turn % RANKS], "sometimes": [0] * (turn % 2)}[
            who
        ]
        for rank in ranks:
            recording.call(rank, "write", "/s/out", end, 10 + turn, call=PRINT)
            end += 10 + turn
    together(recording, "close")
    recording.close(0, "/s/out")
    found = recognise(recording.trace())
    assert found.exact
    assert written(found, tmp_path) == recorded(recording)
    (phase,) = found.phases
    assert collectives(phase.steps) == [tuple(range(RANKS))] * TURNS


def test_opens_of_a_shell_that_closes_earlier_leave_requests_whole(tmp_path: Path) -> None:
    core_or_skip()
    recording = Recording(RANKS)
    for rank in range(RANKS):
        recording.open(rank, "/s/out")
        if rank:
            recording.close(rank, "/s/out")
    together(recording, "open")
    recording.call(0, "write", "/s/data", 0, 50, call=Call("MPI-IO", "MPI_File_write_at", "write"))
    together(recording, "write", 50, (100,) * RANKS)
    recording.call(0, "write", "/s/out", 0, 9, call=PRINT)
    recording.close(0, "/s/out")
    together(recording, "close")
    found = recognise(recording.trace())
    assert found.exact and written(found, tmp_path) == recorded(recording)
    assert [one for phase in found.phases for one in collectives(phase.steps)] == [tuple(range(RANKS))]
