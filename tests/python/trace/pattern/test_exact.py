"""Whatever was recorded, the pattern's expansion is that."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern

from .expansion import Operation, expand, original_names
from .traces import Recording

VERBS = ("write", "read")


def expansions(recording: Recording, folder: Path) -> list[list[Operation]]:
    """What each rank does by the pattern of this recording, with the files' names of the trace."""
    found = recognise(recording.trace())
    write_pattern(found, folder / "P.json")
    result = []
    for rank, own in enumerate(
        expand(folder / "P.json", recording.ranks) if found.phases else recorded(recording)
    ):
        names = original_names(found, rank)
        rows = [one for one in own if one[0] not in ("compute", "barrier")]
        result.append([(verb, names[file], offset, length) for verb, file, offset, length in rows])
    return result


def recorded(recording: Recording) -> list[list[Operation]]:
    """What each rank did."""
    result = []
    for rows in recording.rows:
        own = []
        for _, _, offset, length, _, file, call, *_ in rows:
            kind = recording.calls[call].kind
            if file and kind != "communicate":
                moves = kind in VERBS
                own.append((kind, recording.files[file].name, offset if moves else 0, length if moves else 0))
        result.append(own)
    return result


def check(recording: Recording) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert expansions(recording, Path(folder)) == recorded(recording)


TRANSFER = st.tuples(st.sampled_from(VERBS), st.integers(0, 4), st.sampled_from([8, 8, 8, 24]))
LOOP = st.tuples(
    st.integers(1, 6),  # times
    st.integers(0, 3),  # stride
    st.lists(TRANSFER, min_size=1, max_size=4),
)
SESSION = st.tuples(st.integers(0, 2), st.lists(LOOP, max_size=4), st.booleans(), st.integers(1, 4))


def _do(recording: Recording, rank: int, session: tuple, own_file: bool, shift: int) -> None:  # type: ignore[type-arg]
    number, loops, sync, times = session
    for again in range(times):
        name = f"/d/f{number}.{rank:03}" if own_file else f"/d/f{number}"
        recording.open(rank, name)
        for count, stride, transfers in loops:
            for turn in range(count):
                for verb, place, length in transfers:
                    offset = 8 * (place + turn * stride + again * 7) + rank * shift
                    recording.call(rank, verb, name, offset, length)
        if sync:
            recording.call(rank, "sync", name)
        recording.close(rank, name)


@given(
    st.integers(1, 5),
    st.lists(
        st.tuples(SESSION, st.integers(1, 31), st.booleans(), st.integers(0, 64), st.booleans()), max_size=6
    ),
)
@random_cases(20)
def test_programs_of_loops(ranks: int, parts: list) -> None:  # type: ignore[type-arg]
    recording = Recording(ranks)
    for session, who, own_file, shift, barrier in parts:
        for rank in range(ranks):
            if who >> rank & 1:
                _do(recording, rank, session, own_file, shift)
        if barrier:
            recording.barrier()
    check(recording)


@given(st.lists(st.lists(TRANSFER, max_size=40), min_size=1, max_size=4), st.integers(0, 40))
@random_cases(15)
def test_anything_in_any_order(of_ranks: list, barrier: int) -> None:  # type: ignore[type-arg]
    recording = Recording(len(of_ranks))
    names = ["a", "b"]
    for rank in range(len(of_ranks)):
        for name in names:
            recording.open(rank, name)
    for turn in range(max(map(len, of_ranks))):
        if turn == barrier:
            recording.barrier()
        for rank, transfers in enumerate(of_ranks):
            if turn < len(transfers):
                verb, place, length = transfers[turn]
                recording.call(rank, verb, names[place % 2], 8 * place, length)
    for rank in range(len(of_ranks)):
        for name in names:
            recording.close(rank, name)
    check(recording)
