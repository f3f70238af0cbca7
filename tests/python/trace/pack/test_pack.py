"""Packed traces read as the folders that they were made from, and damaged ones are refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from weir.errors import WeirError
from weir.trace.load import load_trace
from weir.trace.model import Trace
from weir.trace.open import open_trace
from weir.trace.pack import block, container, read, write
from weir.trace.pack.container import Reader
from weir.trace.pack.read import load_packed, unpack_trace
from weir.trace.pack.write import Times

from ..programs import weir
from ..synthetic import packed, rows_of_rank, write_trace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_trace(tmp_path / "T", {rank: rows_of_rank(rank) for rank in (0, 1, 2)})


def same(one: Trace, other: Trace) -> bool:
    facts = ("command", "ranks", "hosts", "began_real_ns", "calls", "files", "processes", "run_ns", "unended")
    return all(getattr(one, fact) == getattr(other, fact) for fact in facts) and all(
        a.records.tobytes() == b.records.tobytes()
        and (a.begin_ns == b.begin_ns).all()
        and (a.call == b.call).all()
        and (a.file == b.file).all()
        for a, b in zip(one.batches(), other.batches(), strict=True)
    )


def test_a_packed_trace_reads_as_its_folder(folder: Path) -> None:
    assert same(load_trace(folder), open_trace(packed(folder)))
    assert same(load_trace(folder), open_trace(folder))


def test_unpacking_makes_the_same_files(folder: Path, tmp_path: Path) -> None:
    (folder / "head.json").write_text('{"command": ["mpirun", "app"]}')
    (folder / "page.html").write_text("can be made again")
    assert open_trace(packed(folder)).command == "mpirun app"
    unpack_trace(packed(folder), tmp_path / "U")
    names = sorted(path.name for path in folder.iterdir() if path.suffix != ".html")
    assert names == sorted(path.name for path in (tmp_path / "U").iterdir())
    assert all((tmp_path / "U" / name).read_bytes() == (folder / name).read_bytes() for name in names)


def test_streams_of_several_blocks_are_read_in_parts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (block, container, read, write):
        monkeypatch.setattr(module, "BLOCK", 8)
    trace, whole = load_packed(packed(folder)), load_trace(folder)
    assert same(whole, trace)
    ours, theirs = trace.lanes[1].records, whole.lanes[1].records
    for part in (slice(0, 0), slice(3, 5), slice(6, 19), slice(16, 24), slice(40, 99), slice(None, None, 3)):
        assert ours[part].tobytes() == theirs[part].tobytes()
    assert len(ours) == len(theirs) and ours[-1] == theirs[-1]
    assert (ours["offset"] == theirs["offset"]).all() and (np.asarray(ours) == theirs).all()


def test_short_streams_share_blocks(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "SHARED", 2 * 43)
    (folder / "node-101-0.2.records").write_bytes((folder / "node-101-0.1.records").read_bytes()[:4096])
    path = packed(folder)
    streams = Reader(path).index.streams
    assert [(one.first, one.records) for one in streams] == [(0, 43), (43, 43), (86, 0), (0, None)]
    assert [len({one.blocks[0].part.at for one in some}) for some in (streams[:3], streams)] == [1, 2]
    assert same(load_trace(folder), open_trace(path))
    unpack_trace(path, tmp_path / "U")
    assert all(one.read_bytes() == (folder / one.name).read_bytes() for one in (tmp_path / "U").iterdir())
    alone = Reader(packed(folder, Times.NONE)).index.streams
    assert all(one.records is None for one in alone)


def test_going_through_a_packed_trace_unpacks_each_block_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (block, container, read, write):
        monkeypatch.setattr(module, "BLOCK", 8)
    trace, unpacked = load_packed(packed(folder)), []
    unpack = block.unpack_block
    monkeypatch.setattr(read, "unpack_block", lambda *what: unpacked.append(1) or unpack(*what))
    assert sum(len(batch) for batch in trace.batches(8)) == trace.records
    assert len(unpacked) <= sum(-(-len(lane.records) // 8) for lane in trace.lanes)


def test_a_trace_without_its_times_says_so(folder: Path) -> None:
    trace = open_trace(packed(folder, Times.NONE))
    assert trace.records == load_trace(folder).records and "left out" in trace.notes[0]
    assert not any(batch.took_ns.any() for batch in trace.batches())
    assert "rounded to microseconds" in open_trace(packed(folder, Times.US)).notes[0]
    assert open_trace(packed(folder)).notes == ()


def test_a_stream_that_cannot_be_read_is_packed_as_it_is(folder: Path, tmp_path: Path) -> None:
    (folder / "node-100-0.2.records").write_bytes(b"short")
    path = packed(folder)
    assert any("node-100-0.2.records" in note for note in open_trace(path).notes)
    unpack_trace(path, tmp_path / "U")
    assert (tmp_path / "U" / "node-100-0.2.records").read_bytes() == b"short"


def test_any_damage_is_said_and_nothing_else_happens(folder: Path, tmp_path: Path) -> None:
    data, broken = packed(folder).read_bytes(), tmp_path / "broken.weirtrace"
    random = np.random.default_rng(3)
    for turn in range(200):
        if turn % 2:
            changed = data[: random.integers(0, len(data))]
        else:
            at = random.integers(8, len(data))
            changed = data[:at] + bytes([data[at] ^ (1 << random.integers(0, 8))]) + data[at + 1 :]
        broken.write_bytes(changed)
        with pytest.raises(WeirError, match=r"damaged|no trace"):
            for batch in open_trace(broken).batches():
                assert len(batch)
        assert not (tmp_path / "U").exists()


def test_a_packed_trace_is_explained_as_its_folder(folder: Path) -> None:
    paths = (folder, packed(folder))
    told = [json.loads(weir("explain", path, "--json", status=0).stdout) for path in paths]
    assert told[0].pop("head") | {"name": ""} == told[1].pop("head") | {"name": ""}
    assert told[0] == told[1]


def test_the_verb_packs_and_unpacks_and_overwrites_nothing(folder: Path) -> None:
    told = json.loads(weir("pack", folder, "--json", status=0).stdout)
    assert told["records"] == 3 * 43 and told["packed_bytes"] == Path(told["file"]).stat().st_size
    assert "is there already" in weir("pack", folder, status=2).stderr
    back = folder.with_name("back")
    weir("pack", told["file"], "--unpack", "--out", back, status=0)
    assert same(load_trace(folder), load_trace(back))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "there is no such folder"),
        (["nothing", "--unpack"], "there is no such file"),
        ([".", "--out", "x"], "holds no trace"),
        ([".", "--times", "ms"], "Use one of: exact, us, none"),
    ],
)
def test_what_cannot_be_packed_is_said(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = weir("pack", *arguments, status=2).stderr.splitlines()
    assert message in line
    assert list(tmp_path.iterdir()) == []
