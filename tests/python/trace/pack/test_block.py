"""Blocks of records come back bit for bit, whatever the records are, and regular ones are small."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from random_cases import random_cases
from weir.trace.pack.block import bytes_of_times, pack_block, rounded, unpack_block
from weir.trace.pack.encodings import pack_dictionary, unpack_dictionary
from weir.trace.stream import RECORD

from ..synthetic import START


@random_cases(60)
@given(arrays.arrays(RECORD, st.integers(1, 60)), st.sampled_from([0, 1, 7, 2596]))
def test_any_records_come_back(records: np.ndarray, quantum: int) -> None:
    packed = pack_block(records, quantum)
    assert unpack_block(packed, len(records)).tobytes() == rounded(records, quantum).tobytes()
    if quantum == 1:
        assert rounded(records, 1).tobytes() == records.tobytes()


def regular(count: int) -> np.ndarray:
    """A seek and a write in turn, strided in two levels, every call as long and as far from the next."""
    i = np.arange(count)
    records = np.zeros(count, RECORD)
    records["begin_ticks"] = START + 1000 * i
    records["end_ticks"] = records["begin_ticks"] + 600
    records["file"], records["call"] = 3, 1 + i % 2
    records["offset"] = 4096 * (i // 2 % 64) + 2**24 * (i // 128)
    records["length"] = 512 * (i % 2)
    records["result"] = np.where(i % 2, 512, records["offset"])
    return records


def test_what_is_regular_costs_next_to_nothing() -> None:
    records = regular(100_000)
    packed = pack_block(records, 1)
    assert len(packed) < 0.02 * len(records)
    assert unpack_block(packed, len(records)).tobytes() == records.tobytes()
    assert bytes_of_times(pack_block(records, 0)) == 0


def test_rounded_times_are_near_and_keep_their_order() -> None:
    records = regular(1000)
    records["begin_ticks"] += np.random.default_rng(1).integers(0, 300, 1000).astype(np.uint64)
    kept = unpack_block(pack_block(records, 2596), 1000)
    for name in ("begin_ticks", "end_ticks"):
        off = kept[name].astype(np.int64) - records[name].astype(np.int64)
        assert np.abs(off).max() <= 2596 // 2
    assert (kept["end_ticks"] >= kept["begin_ticks"]).all()
    assert (np.diff(kept["end_ticks"].astype(np.int64)) >= 0).all()
    kept["begin_ticks"], kept["end_ticks"] = records["begin_ticks"], records["end_ticks"]
    assert kept.tobytes() == records.tobytes()


def test_few_distinct_times_are_kept_as_a_table() -> None:
    random = np.random.default_rng(2)
    few = random.integers(0, 2**40, 50)
    for values in (few[random.integers(0, 50, 4000)], random.integers(-(2**62), 2**62, 300), few[:0]):
        packed = memoryview(pack_dictionary(values))
        back, rest = unpack_dictionary(packed, len(values))
        assert (back == values).all() and len(rest) == 0
    assert len(pack_dictionary(few[random.integers(0, 50, 4000)])) < 4000 + 50 * 8


def test_damaged_blocks_raise_nothing_but_value_errors() -> None:
    packed = pack_block(regular(500), 1)
    random = np.random.default_rng(7)
    for _ in range(300):
        broken = bytearray(packed[: random.integers(0, len(packed) + 1)])
        for at in random.integers(0, max(len(broken), 1), 3):
            if at < len(broken):
                broken[at] = random.integers(0, 256)
        with contextlib.suppress(ValueError):
            assert len(unpack_block(bytes(broken), 500)) == 500
    with pytest.raises(ValueError, match="500 records where 499"):
        unpack_block(packed, 499)
