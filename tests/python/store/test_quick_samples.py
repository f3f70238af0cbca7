"""Lines of samples are read the same, however quickly."""

import json
import random

import msgspec
import pytest

from sample_lines import sample_line
from weir.store.lines import decode
from weir.store.records import SampleRecord, sample_of, to_record

_LINE = json.dumps(
    sample_line(
        "a",
        "write",
        bandwidth_bytes_per_s=1.5e9,
        repetition=3,
        elapsed_s=0.25,
        cache={"methods": ["drop"], "suspect": False},
        times={"open": {"min_s": 0.1, "slowest_rank": 1}},
        warnings=[{"code": "busy"}],
    )
)
LINE = _LINE.replace('"noun"', '"decimal": false, "noun"').encode()


def slowly(line: bytes) -> object:
    """As any line is read."""
    decoded = decode(line)
    try:
        return to_record(decoded) if decoded is not None else None
    except msgspec.ValidationError:
        return None


def test_a_line_of_today_is_read_quickly() -> None:
    assert isinstance(sample_of(LINE), SampleRecord) and sample_of(LINE) == slowly(LINE)
    later = json.dumps({**json.loads(LINE), "of_a_newer_weir": [1, None]}).encode()
    assert sample_of(later) == sample_of(LINE)
    compact = json.dumps(json.loads(LINE), separators=(",", ":")).encode()
    assert sample_of(compact) == sample_of(LINE)


OTHERS = (
    _LINE.encode(),
    b"",
    b"{}",
    b'{"schema": 1, "kind": "case", "case": "a"}',
    LINE.replace(b"2", b"1", 1),
)
DAMAGE = (b"", b"9", b'"', b"-", b"null", b"e", b"]", b"\xff")


@pytest.mark.parametrize("other", OTHERS)
def test_other_lines_are_left_to_the_slow_way(other: bytes) -> None:
    assert sample_of(other) is None


def test_damage_is_read_the_same() -> None:
    draw = random.Random(1)  # no numbers beyond all bounds: of an unknown key they are not looked at
    for _ in range(3000):
        line = bytearray(LINE)
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(34, len(line))
            line[at : at + draw.choice((0, 1))] = draw.choice(DAMAGE)
        found = sample_of(bytes(line))
        assert found is None or found == slowly(bytes(line)), bytes(line)


def test_what_is_nested_too_deeply_is_no_sample() -> None:
    assert sample_of(b'{"schema": 2, "kind": "sample", "details": ' + b"[" * 100_000) is None
