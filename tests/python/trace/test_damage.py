"""Damaged bytes: every reader refuses them or reads what is whole, whatever they are."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases
from weir.errors import WeirError
from weir.trace.names import parse_names
from weir.trace.process import read_trace
from weir.trace.stream import RECORD, read_stream

from .damaged import growing


@given(st.integers(0, 400))
@random_cases(50)
def test_a_stream_of_a_killed_program_is_whole(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.1.records"
        path.write_bytes(growing(count))
        assert np.array_equal(read_stream(path).records["offset"], np.arange(count))


cruel = st.sampled_from([0, 1, 0x7F, 0x80, 0xFF])
damages = st.lists(
    st.tuples(st.integers(0, 130), st.binary(min_size=1, max_size=8) | cruel.map(lambda b: bytes([b] * 8)))
)


@given(st.sampled_from([0, 3, 90, 200]), damages, st.integers(0, 30_000))
@random_cases(300)
def test_damaged_streams_are_refused_or_read(count: int, damage: list[tuple[int, bytes]], size: int) -> None:
    data = bytearray(growing(count))
    for at, value in damage:
        data[at : at + len(value)] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.1.records"
        path.write_bytes(data[:size])
        try:
            stream = read_stream(path)
        except WeirError:
            return
        assert len(stream.records) <= len(data) // RECORD.itemsize
        int(stream.records["length"].sum())


@given(st.binary(max_size=300), st.binary(max_size=300), st.binary(max_size=300))
@random_cases(200)
def test_folders_of_anything_are_refused_or_read(facts: bytes, names: bytes, records: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for suffix, data in (("process", facts), ("names", names), ("1.records", records)):
            (Path(folder) / f"a.{suffix}").write_bytes(data)
        parse_names(names)
        try:
            (process,) = read_trace(Path(folder))
        except WeirError:
            return
        assert len(process.streams) + len(process.notes) >= 1
