import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weir.errors import WeirError
from weir.store.lines import LineWriter, damaged_words, repair

WHOLE = b'{"a":1}\n{"b":2}\n'


def test_lines_are_on_disk_as_soon_as_written(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    with LineWriter(path) as writer:
        writer.append({"a": 1})
        assert path.read_bytes() == b'{"a":1}\n'
        writer.append({"text": "line\nbreak"})
    assert [json.loads(line) for line in path.read_text().splitlines()][1] == {"text": "line\nbreak"}


def test_what_is_not_finite_becomes_null(tmp_path: Path) -> None:
    with LineWriter(tmp_path / "lines") as writer:
        writer.append({"value": float("nan")})
    assert json.loads((tmp_path / "lines").read_text()) == {"value": None}


@pytest.mark.parametrize("tail", [b'{"c":', b'{"c":3}', b"\0\0\0\0", b'{"c":\n', b"\0\0\n", b"[1]\n"])
def test_a_damaged_tail_is_cut_off_and_reported(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(WHOLE + tail)
    damage = repair(path)
    assert damage is not None
    assert (damage.offset, damage.length_bytes) == (len(WHOLE), len(tail))
    assert path.read_bytes() == WHOLE
    assert repair(path) is None


def test_a_whole_file_and_an_empty_one_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    for content in (WHOLE, b""):
        path.write_bytes(content)
        assert repair(path) is None
        assert path.read_bytes() == content


@given(st.integers(0, len(WHOLE)))
def test_cut_anywhere_whole_lines_survive(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "lines"
    path.write_bytes(WHOLE[:cut])
    repair(path)
    assert path.read_bytes() == WHOLE[: WHOLE[:cut].rfind(b"\n") + 1]


def full_after(count: int) -> Callable[[int, Any], int]:
    """os.write on a disk with room for so many more bytes."""
    left, write = [count], os.write

    def limited(descriptor: int, content: Any) -> int:
        if left[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(descriptor, content[: left[0]])
        left[0] -= done
        return done

    return limited


def test_a_full_disk_is_told_and_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines"
    with LineWriter(path) as writer:
        writer.append({"a": 1})
        monkeypatch.setattr("os.write", full_after(3))
        with pytest.raises(WeirError, match=r"cannot write '.*lines' \(No space left on device\)") as caught:
            writer.append({"b": 2})
        monkeypatch.undo()
        assert caught.value.exit_code == 3
        assert path.read_bytes() == b'{"a":1}\n'
        writer.append({"c": 3})
    assert path.read_bytes() == b'{"a":1}\n{"c":3}\n' and repair(path) is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([89], "line 89 of samples.jsonl is left out, since it cannot be read"),
        ([3, 5], "lines 3, 5 of samples.jsonl are left out, since they cannot be read"),
        (range(1, 13), "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more of samples.jsonl are left out, "),
    ],
)
def test_one_line_is_not_several(lines: list[int], said: str) -> None:
    assert damaged_words(lines).startswith(said)
