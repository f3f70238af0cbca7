"""What a process counted, from the bytes of its file."""

import struct

from weir.trace.process import parse_counts


def entry(call: str, calls: int, moved: int, ticks: int) -> bytes:
    return struct.pack("<40sQQQ", call.encode(), calls, moved, ticks)


def counted(entries: int) -> bytes:
    head = struct.pack("<8sIIqq96s", b"WEIRCNT1", 7, entries, 50, 60, b"it called chroot")
    rows = [entry("POSIX write", 1, 10, 3), entry("", 0, 0, 0), entry("POSIX read", 1 << 40, 1 << 63, 5)]
    return head + b"".join(rows)


def test_every_call_that_was_made_is_there_also_one_that_was_made_once() -> None:
    counts = parse_counts(counted(3))
    assert counts is not None
    assert (counts.why, counts.end_real_ns) == ("it called chroot", 50)
    assert counts.lost == [
        {"lost": "POSIX write", "calls": 1, "bytes": 10, "ticks": 3},
        {"lost": "POSIX read", "calls": 1 << 40, "bytes": 1 << 62, "ticks": 5},
    ]


def test_of_a_file_that_is_cut_off_whole_entries_are_read() -> None:
    whole = counted(3)
    for missing, entries in ((1, 1), (64, 1), (129, 0), (192, 0)):
        counts = parse_counts(whole[:-missing])
        assert counts is not None and len(counts.lost) == entries
    assert parse_counts(whole[:127]) is None
    assert parse_counts(b"X" + whole[1:]) is None
    few = parse_counts(counted(1))
    assert few is not None and len(few.lost) == 1
