"""Files that were cut off, mixed up or have wrong numbers in them: refused, or read with a note; no crash."""

import io
import shutil
import struct
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from weir.errors import WeirError
from weir.explain.summarise import summarise
from weir.trace.model import Trace
from weir.trace.open import open_trace
from weir.trace.pack.container import Index, Reader, Writer
from weir.trace.pack.read import unpack_trace
from weir.trace.stream import HEAD, HEAD_PAGE, RECORD

from .damaged import HEAD_BYTES, IN_WINDOW, WINDOW, cut_off, growing, with_moved_blocks, with_other_fields
from .synthetic import packed as pack
from .synthetic import rows_of_rank, write_trace

Damaged = Iterator[tuple[str, bytes]]
GROWN = 3 * IN_WINDOW + 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An ended stream, and one of a program that was killed."""
    folder = write_trace(tmp_path / "T", {0: rows_of_rank(0)})
    (folder / "node-100-0.2.records").write_bytes(growing(GROWN))
    return folder


def read_all(path: Path) -> Trace:
    """Open a trace, go through all of it, and explain it."""
    trace = open_trace(path)
    assert sum(len(batch) for batch in trace.batches(64)) == trace.records
    summarise(trace)
    return trace


def damage_file(path: Path, folder: Path, damaged: Damaged) -> Iterator[tuple[str, Trace | None]]:
    """Each damage in turn, and the trace as it is read then; None where it is refused. Packing keeps what can
    be read."""
    data, whole = path.read_bytes(), read_all(folder).records
    for name, changed in damaged:
        path.write_bytes(changed)
        try:
            trace: Trace | None = read_all(folder)
        except WeirError:
            trace = None
        if trace is not None:
            again = read_all(pack(folder))
            assert again.records == trace.records <= whole + len(changed) // RECORD.itemsize, name
            assert bool(again.notes) == bool(trace.notes), name
        yield name, trace
    path.write_bytes(data)


def boundaries_of(data: bytes, head_bytes: int) -> Iterator[int]:
    return chain(
        (0, HEAD.itemsize, 128, HEAD_PAGE, HEAD_PAGE + WINDOW, head_bytes, len(data)),
        range(head_bytes, len(data), 16 * RECORD.itemsize),
        range(HEAD_PAGE, head_bytes, WINDOW // 2),
    )


@pytest.mark.parametrize(("name", "head_bytes"), [("1", HEAD_PAGE), ("2", HEAD_BYTES)])
def test_streams_that_are_cut_off(folder: Path, name: str, head_bytes: int) -> None:
    path = folder / f"node-100-0.{name}.records"
    data, whole = path.read_bytes(), read_all(folder)
    assert not whole.notes
    for damage, trace in damage_file(path, folder, cut_off(data, boundaries_of(data, head_bytes))):
        assert trace is not None, damage  # the other stream is whole
        assert trace.records < whole.records, damage
        assert trace.notes, damage


@pytest.mark.parametrize("name", ["1", "2"])
def test_streams_with_other_fields_or_moved_blocks(folder: Path, name: str) -> None:
    path = folder / f"node-100-0.{name}.records"
    data = path.read_bytes()
    damaged = chain(with_other_fields(data), with_moved_blocks(data, WINDOW))
    assert sum(trace is not None for _, trace in damage_file(path, folder, damaged)) > 0


def test_names_that_are_cut_off_or_mixed_up(folder: Path) -> None:
    path = folder / "node-100-0.names"
    data, entries, at = path.read_bytes(), [], 0
    while at < len(data):
        entries.append(at)
        at += 16 + (struct.unpack_from("<I", data, at + 8)[0] + 7) // 8 * 8
    for damage, trace in damage_file(path, folder, cut_off(data, iter([*entries, len(data)]))):
        assert trace is not None, damage
        is_whole = int(damage.split()[-1]) in entries
        assert bool(trace.notes) != is_whole, damage

    def wrong_lengths() -> Damaged:
        for entry in entries:
            for place in range(0, 16, 4):
                for value in (0, 1, 7, 2**16, 2**31, 2**32 - 1):
                    yield (
                        f"{entry}+{place}: {value}",
                        data[: entry + place] + struct.pack("<I", value) + data[entry + place + 4 :],
                    )

    for damage, trace in damage_file(path, folder, chain(wrong_lengths(), with_moved_blocks(data, 24))):
        assert trace is not None, damage


def test_facts_that_are_cut_off_or_mixed_up(folder: Path) -> None:
    path = folder / "node-100-0.process"
    data = path.read_bytes()
    damaged = chain(
        cut_off(data, iter(range(0, len(data), 7))), with_moved_blocks(data, data.index(b"\n") + 1)
    )
    for damage, trace in damage_file(path, folder, damaged):
        assert trace is not None, damage


@pytest.fixture
def packed(folder: Path) -> Path:
    return pack(folder)


def test_packed_traces_that_are_cut_off_or_mixed_up(packed: Path, tmp_path: Path) -> None:
    data, index = packed.read_bytes(), Reader(packed).index
    parts = [block.part for stream in index.streams for block in stream.blocks] + index.text_parts
    boundaries = [8, *(part.at for part in parts), len(data) - 24, len(data)]
    moved = (
        (
            f"{a.at} as {b.at}",
            data[: b.at] + data[a.at : a.at + b.bytes].ljust(b.bytes, b"\0") + data[b.at + b.bytes :],
        )
        for a in parts
        for b in parts
        if a is not b
    )
    whole = records_of(packed)
    for damage, changed in chain(cut_off(data, iter(boundaries)), moved, with_moved_blocks(data, 1 << 6)):
        packed.write_bytes(changed)
        try:
            assert records_of(packed) == whole, damage  # what stands there twice may do no harm
        except WeirError:
            with pytest.raises(WeirError):
                unpack_trace(packed, tmp_path / "U")
            assert not (tmp_path / "U").exists()


def records_of(path: Path) -> list[bytes]:
    read_all(path)
    return [batch.records.tobytes() for batch in open_trace(path).batches()]


def wrong_indices(index: Index) -> list[str]:
    """What an index `i` that is whole must undergo to tell no more what is there."""
    fields = ["texts[0].bytes"]
    for number in range(len(index.streams)):
        names = ("blocks[0].records", "head_bytes", "first", "records")
        fields += [f"streams[{number}].{name}" for name in names]
    for part in ("text_parts[0]", "streams[0].blocks[0].part"):
        fields += [f"{part}.{name}" for name in ("at", "bytes", "checksum")]
    values = (-1, 0, 1, 2**31, 2**63, 2**64, 2**100)
    return [
        *(f"i.{field} = {value}" for field in fields for value in values),
        "i.texts.clear()",
        "i.text_parts.clear()",
        "i.text_parts.extend(i.text_parts)",
        "i.streams[0].blocks.extend(i.streams[0].blocks)",
        "i.streams[0].blocks[0] = i.streams[1].blocks[0]",
        "i.texts[0].name = i.texts[1].name",
        "i.texts[0].name = '../x.process'",
    ]


def test_packed_traces_whose_index_is_wrong(packed: Path, tmp_path: Path) -> None:
    data, index = packed.read_bytes(), Reader(packed).index
    end = Reader(packed).index.text_parts[-1]
    for damage in wrong_indices(index):
        wrong = msgspec.json.decode(msgspec.json.encode(index), type=Index)
        exec(damage, {"i": wrong})
        out = io.BytesIO()
        writer = Writer(out, wrong.times)
        writer.index = wrong
        writer.part(data[8 : end.at + end.bytes])
        writer.close()
        packed.write_bytes(out.getvalue())
        try:
            read_all(packed)
        except WeirError:
            pass
        except Exception as error:
            pytest.fail(f"{damage}: {error!r}")
        try:
            unpack_trace(packed, tmp_path / "U")
        except WeirError:
            assert not (tmp_path / "U").exists(), damage
        else:
            shutil.rmtree(tmp_path / "U")
        assert not (tmp_path / "x.process").exists()
