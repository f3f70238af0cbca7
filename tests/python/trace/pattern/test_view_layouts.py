"""From the text of a datatype to the bytes that a view shows, against byte by byte counting."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from weir.trace.model import Trace
from weir.trace.names import Call
from weir.trace.pattern.describe import describe
from weir.trace.pattern.operations.datatypes import Datatypes
from weir.trace.pattern.operations.layouts import Blocks, Layout, Nest, Places, Unknown, blocks_of, repeated
from weir.trace.pattern.operations.tiles import NOT_KNOWN, Tiles
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.steps.step import One, Repeated
from weir.trace.pattern.write import write_pattern

from .traces import Recording
from .view_programs import expanded

INT, BYTE = "4 0 4 named 0 4", "1 0 1 named 0 1"


def bytes_of(places: Places) -> list[int]:
    """Byte by byte, in order."""
    blocks = blocks_of(places)
    pieces = zip(blocks.starts, blocks.lengths, strict=True)
    return [start + i for start, length in pieces for i in range(length)]


def random_layout(random: np.random.Generator) -> Layout:
    """Blocks in the order of the file, that may touch, and room around them."""
    if random.integers(2):
        places: Places = Nest(int(random.integers(9)), (), int(1 + random.integers(5)))
        stride = places.length
        for _ in range(random.integers(1, 4)):
            count, stride = int(random.integers(1, 4)), int(stride + random.integers(4))
            places = repeated(places, count, stride)
            stride *= count
        lower = places.start
        end = max(bytes_of(places)) + 1
    else:
        gaps, lengths = random.integers(0, 4, 6), random.integers(1, 6, 6)
        starts = np.cumsum(gaps + lengths) - lengths
        places, lower, end = Blocks(starts, lengths), int(starts[0]), int(starts[-1] + lengths[-1])
    return Layout(places, lower, end - lower + int(random.integers(5)))


@pytest.mark.parametrize("seed", range(60))
def test_tiles(seed: int) -> None:
    random = np.random.default_rng(seed)
    layout = random_layout(random)
    tiles, tile = Tiles(layout), bytes_of(layout.places)
    assert tiles.size == len(tile)
    file = [byte + turn * layout.extent for turn in range(4) for byte in tile]
    assert tiles.positions(np.array(file)).tolist() == list(range(len(file)))
    ends = {byte + 1 for byte in file}
    hidden = np.array(sorted(set(range(max(file))) - set(file) - ends))
    assert (tiles.positions(hidden) == NOT_KNOWN).all()
    for _ in range(20):
        rest, length = int(random.integers(len(tile))), int(random.integers(1, 2 * len(tile)))
        asked = file[rest : rest + length]
        assert sorted(bytes_of(tiles.pieces(rest, length))) == asked
        place = int(tiles.one_piece(np.array([rest]), np.array([length]))[0])
        whole = asked == list(range(asked[0], asked[0] + length))
        assert place in ((asked[0], NOT_KNOWN) if whole else (NOT_KNOWN,))
        if length == 1:
            assert place == asked[0]


def test_tiles_that_reach_into_each_other() -> None:
    """Blocks at 0 and 12, again each 4 bytes further on: 0, 12, 4, 16, 8, 20, and then the second lie where
    the first ones of later tiles would."""
    tiles = Tiles(Layout(Blocks(np.array([0, 12]), np.array([4, 4])), 0, 4))
    assert tiles.positions(np.array([0, 1, 4, 12])).tolist() == [0, 1, 8, NOT_KNOWN]
    assert bytes_of(tiles.pieces(0, 12)) == [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15]


def test_blocks_in_another_order_than_the_files() -> None:
    tiles = Tiles(Layout(Blocks(np.array([8, 0]), np.array([4, 4])), 0, 12))
    assert tiles.positions(np.array([8, 0, 20, 13])).tolist() == [0, 4, 8, 13]
    assert bytes_of(tiles.pieces(2, 4)) == [0, 1, 10, 11]


@pytest.mark.parametrize("extent", [0, -4])
def test_tiles_that_do_not_go_on(extent: int) -> None:
    with pytest.raises(Unknown):
        Tiles(Layout(Nest(0, (), 4), 0, extent))


TEXTS = {
    "12 0 20 vector 3 1 2 1": [0, 8, 16],
    "12 0 20 hvector 3 1 8 1": [0, 8, 16],
    "12 0 20 indexed 1x3 0+2x3 1": [0, 8, 16],
    "12 0 17 hindexed 2,1 0,13 1": [0, 4, 13],
    "8 0 8 contiguous 2 1": [0, 4],
    "16 0 44 indexed_block 2 0,9 1": [0, 4, 36, 40],
    "8 0 100 struct 1,0,1 0,7,96 1x3": [0, 96],
    "8 0 48 subarray 3,4 2,1 1,2 c 1": [24, 40],
    "8 0 48 subarray 4,3 1,2 2,1 fortran 1": [24, 40],
    "8 0 20 darray 1 5 c, 2 c 1": [4, 12],
    "12 0 20 darray 0 5 c, 2 c 1": [0, 8, 16],
    "8 0 20 darray 1 5 b, 2 c 1": [12, 16],
    "0 0 20 darray 3 5 b2, 4 c 1": [],
    "0 0 0 indexed - - 1": [],
}


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str) -> None:
    layout = Datatypes().of({1: INT, 3: text}, 3)
    assert isinstance(layout, Layout)
    assert bytes_of(layout.places) == [place + i for place in TEXTS[text] for i in range(4)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("unknown it is a secret", "it is a secret"),
        ("12 0 20 vector 3 1 2 9", "damaged"),
        ("12 0 20 vector 3 1 2 2", "damaged"),
        ("12 0 20 vector 3 1 1", "damaged"),
        ("12 0 20 knitted 3 1 2 1", "damaged"),
        ("12 0 20 hindexed 1x9999999 0x9999999 1", "damaged"),
        ("12 0 20 hindexed 1,1 0 1", "damaged"),
        ("16 0 20 vector 3 1 2 1", "add up"),
        ("40000000 0 80000000 hindexed 1x2,1 0,8,24 1", "add up"),
        ("", "damaged"),
    ],
)
def test_texts_that_tell_nothing(text: str, why: str) -> None:
    layout = Datatypes().of({1: INT, 2: text}, 2)
    assert isinstance(layout, Unknown) and why in str(layout)


TYPES = {1: BYTE, 2: "4 0 4 contiguous 4 1", 3: "4 0 8 resized 2"}
VIEW = Call("MPI-IO", "MPI_File_set_view", "other")


def viewed(recording: Recording, types: dict[int, str]) -> Trace:
    trace = recording.trace()
    return replace(trace, lanes=tuple(replace(lane, types=types) for lane in trace.lanes))


def together(recording: Recording, kind: str, rows: list[tuple[int, int]]) -> None:
    """A collective call of all ranks on `/s/a`: offset and length of each."""
    begin = recording.now
    for rank, (offset, length) in enumerate(rows):
        recording.now = begin + rank
        recording.call(rank, kind, "/s/a", offset, length, flags=1, took=50)


def set_views(recording: Recording, number: int, apart: int = 0) -> None:
    for rank in range(recording.ranks):
        recording.call(rank, "other", "/s/a", rank * apart, number, result=0, flags=1, call=VIEW)


def test_a_trace_that_does_not_tell_types_gives_no_exact_pattern(tmp_path: Path) -> None:
    recording = Recording(1, interface="MPI-IO")
    recording.open(0, "/s/a")
    set_views(recording, 0)
    recording.write(0, "/s/a", 0, 100)
    recording.write(0, "/s/a", 500, 100)
    recording.close(0, "/s/a")
    found = recognise(recording.trace())
    assert not found.exact
    assert found.inexact.counts == {"the trace does not tell the types of its views": 2}
    said = list(describe(found))
    assert "though not exactly" in said[0]
    write_pattern(found, tmp_path / "P.json")
    marked = json.loads((tmp_path / "P.json").read_text())["inexact"]
    assert marked == found.reasons and "2 requests through views" in marked[0]
    assert any(line.startswith("Not exact: 2 requests through views") for line in said)


def test_a_view_lasts_until_the_next_and_till_its_file_is_opened_anew() -> None:
    recording = Recording(1, interface="MPI-IO")
    recording.open(0, "/s/a")
    recording.open(0, "/s/b")
    set_views(recording, 3)
    recording.write(0, "/s/a", 0, 8)
    recording.write(0, "/s/b", 0, 8)
    set_views(recording, 1)
    recording.write(0, "/s/a", 100, 8)
    set_views(recording, 3)
    recording.close(0, "/s/a")
    recording.open(0, "/s/a")
    recording.write(0, "/s/a", 200, 8)
    for name in ("/s/a", "/s/b"):
        recording.close(0, name)
    found = recognise(viewed(recording, TYPES))
    assert found.exact
    shapes = [
        (one.what.file, found.shapes[int(one.shapes[0])] if one.shapes is not None else one.what.length)
        for phase in found.phases
        for one in phase.steps
        if one.what.moves
    ]
    assert shapes == [(0, Nest(0, ((2, 8),), 4)), (1, 8), (0, 8), (0, 8)]


def test_a_file_that_is_open_twice_is_not_exact() -> None:
    recording = Recording(1, interface="MPI-IO")
    for _ in range(2):
        recording.open(0, "/s/a")
    set_views(recording, 3)
    recording.write(0, "/s/a", 0, 8)
    for _ in range(2):
        recording.close(0, "/s/a")
    found = recognise(viewed(recording, TYPES))
    assert found.inexact.counts == {"the file was open twice at a time": 1}


def test_what_ranks_ask_for_together_is_one_request_whatever_each_asks_for(tmp_path: Path) -> None:
    """Pieces of other shapes on each rank, one piece, none at all: two collective calls are two steps."""
    recording = Recording(4, interface="MPI-IO")
    together(recording, "open", [(-1, 9)] * 4)
    set_views(recording, 3, 4)
    together(recording, "write", [(0, 8), (4, 0), (8, 12), (12, 4)])
    together(recording, "write", [(64, 0), (4, 8), (104, 4), (44, 8)])
    together(recording, "close", [(-1, 0)] * 4)
    found, of_ranks = expanded(tmp_path, viewed(recording, TYPES | {3: "4 0 32 resized 2"}))
    assert found.exact
    assert [[one[2:] for one in own] for own in of_ranks] == [
        [(0, 4), (32, 4)],
        [(4, 4), (36, 4)],
        [(8, 4), (40, 4), (72, 4), (104, 4)],
        [(12, 4), (44, 4), (76, 4)],
    ]
    steps = [one for phase in found.phases for one in phase.steps if one.what.moves]
    assert [(one.what.list_io, len(one.ranks)) for one in steps] == [(True, 4)] * 2
    assert found.phases[0].collective
    steps_written = json.loads((tmp_path / "P.json").read_bytes())["phases"][0]["steps"]
    assert [len(step["access"]["lists"]) for step in steps_written if "access" in step] == [4, 3]
    assert "reads and writes that moved nothing" not in found.left_out.counts


def test_a_file_is_made_if_all_that_is_read_was_written_through_a_view() -> None:
    recording = Recording(1, interface="MPI-IO")
    recording.open(0, "/s/a", flags=1 | 8)
    set_views(recording, 3)
    recording.write(0, "/s/a", 0, 12)
    recording.read(0, "/s/a", 16, 4)
    recording.close(0, "/s/a")
    found = recognise(viewed(recording, TYPES))
    assert found.exact and not found.needed


def test_collective_and_independent_requests_by_turns_stay_what_they_are() -> None:
    recording = Recording(1, interface="MPI-IO")
    recording.open(0, "/s/a")
    for turn in range(8):
        recording.call(0, "write", "/s/a", 100 * turn, 10, flags=turn % 2)
    recording.close(0, "/s/a")
    (phase,) = recognise(recording.trace()).phases
    (repeat,) = (step for step in phase.steps if isinstance(step, Repeated))
    assert repeat.count == 4
    assert [one.what.collective for one in repeat.body if isinstance(one, One)] == [False, True]
