"""Calls, encoded in Python, decoded in JavaScript: the same, to the last nanosecond and byte."""

import json
from dataclasses import fields
from typing import Any

import numpy as np

from made_trace import FILES, lane
from made_trace import trace as made
from weir.explain.page.calls import Calls, Columns
from weir.explain.page.coding import (
    BLOCK,
    deflated,
    encode85,
    encode_block,
    previous_alike,
    sort_calls,
    split,
)

from .browser import in_node
from .synthetic import trace

NAMES = [field.name for field in fields(Columns)]


def all_of(some: Any) -> Columns:
    return Columns.joined(list(Calls(some)))


def decoded(calls: Columns, step_ns: int = 1) -> dict[str, list[int]]:
    text = encode85(deflated(encode_block(calls, len(FILES), step_ns)))
    script = f"""
        const bytes = await inflate(decode85({json.dumps(text)}));
        const calls = decodeBlock(bytes, {len(calls)}, {len(FILES)}, {step_ns});
        answer = Object.fromEntries({json.dumps(NAMES)}.map((name) => [name, Array.from(calls[name])]));
    """
    found: dict[str, list[int]] = in_node(["decode.js"], script)
    return found


def test_a_block_is_what_was_recorded() -> None:
    calls = sort_calls(all_of(trace(3, 700)))
    assert decoded(calls) == {name: getattr(calls, name).tolist() for name in NAMES}


def test_large_offsets_failures_and_calls_that_overlap_come_through() -> None:
    rows = [
        ("pwrite", 1, 5, 9, 2**50, 2**40, 2**40, 1),
        ("MPI_File_write_all", 1, 3, 12, 0, 100, 100, 0),
        ("pread", 2, 11, 10**12, 0, 7, -5, 0),
        ("open", 2, 10, 10**12 + 1, -1, 0, 3, 0),
    ]
    calls = sort_calls(all_of(made(lane(0, rows), lane(1, []), lane(2, rows[2:]))))
    assert decoded(calls) == {name: getattr(calls, name).tolist() for name in NAMES}
    assert calls.call[:2].tolist() == [5, 1], "a call stands before those inside it"


def test_coarse_times_are_at_most_a_step_off() -> None:
    calls = sort_calls(all_of(trace(2, 300)))
    found = decoded(calls, step_ns=64)
    assert found["begin"] == (calls.begin // 64 * 64).tolist()
    assert found["end"] == (calls.end // 64 * 64).tolist()
    assert found["offset"] == calls.offset.tolist()


def test_no_calls_make_no_block() -> None:
    assert list(split(Columns.joined([]), 4)) == []


def test_blocks_hold_each_call_once_and_are_small_and_sorted() -> None:
    calls = all_of(trace(40, 1000))
    blocks = list(split(calls, 40))
    assert all(0 < len(block) <= BLOCK for block in blocks)
    assert sorted(np.concatenate([block.begin for block in blocks])) == sorted(calls.begin)
    for block in blocks:
        assert (np.diff(block.lane) >= 0).all()
        same = np.diff(block.lane) == 0
        assert (np.diff(block.begin)[same] >= 0).all()


def test_the_one_before_with_the_same_key() -> None:
    assert previous_alike(np.array([7, 3, 7, 7, 3])).tolist() == [-1, -1, 0, 2, 1]


def test_text_of_any_length_comes_back() -> None:
    texts = [bytes(range(256))[:n] for n in (0, 1, 2, 3, 4, 5, 255, 256)] + [b"\xff" * 7]
    encoded = [encode85(text) for text in texts]
    assert not any(set(text) & set("<&") for text in encoded)
    found = in_node(
        ["decode.js"], f"answer = {json.dumps(encoded)}.map((text) => Array.from(decode85(text)));"
    )
    assert found == [list(text) for text in texts]
