"""Data that changed between writing and checking: exit code 4, and where the first wrong word is."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fakes import read_lines
from running import ended

from ..conftest import command, need_real_programs, write_study
from ..patterns import LENGTH, access, closing, opening, pattern, phase
from ..real_core import KIB, Done, Line, run_core, storage, write_cases

BLOCK = 64 * KIB
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "alone": (1, {}),
    "shared": (2, {}),
    "file-per-process": (2, {"layout": "file-per-process", "reorder": "node"}),
    "mpiio": (2, {"backend": "mpiio", "collective": True}),
}


@dataclass(frozen=True)
class Store:
    """The files that one case wrote, before they are damaged."""

    folder: Path

    @property
    def first(self) -> Path:
        return min(self.folder.glob("weir-*"))

    @property
    def last(self) -> Path:
        return max(self.folder.glob("weir-*"))

    @property
    def wrong_offset(self) -> int:
        """A word in the middle of a request, in the last rank's part."""
        return self.last.stat().st_size - BLOCK // 2 + 24


RIGHT_OFFSET = 8 * KIB + 40


def word_at(path: Path, offset: int) -> int:
    return int.from_bytes(path.read_bytes()[offset : offset + 8], sys.byteorder)


def put(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def flip_a_byte(store: Store) -> None:
    place = store.wrong_offset + 3
    put(store.last, place, bytes([store.last.read_bytes()[place] ^ 0xFF]))


def cut_off(store: Store) -> None:
    with store.last.open("r+b") as file:
        file.truncate(store.wrong_offset)


def misplace_a_word(store: Store) -> None:
    put(store.last, store.wrong_offset, store.first.read_bytes()[RIGHT_OFFSET : RIGHT_OFFSET + 8])


DAMAGES: dict[str, Callable[[Store], None]] = {
    "flipped": flip_a_byte,
    "cut": cut_off,
    "misplaced": misplace_a_word,
}


@dataclass(frozen=True)
class Checked:
    """A launch that checked damaged files, and what there was before."""

    ranks: int
    stores: dict[str, Store]
    before: dict[str, tuple[int, int, int]]
    done: Done

    def first_wrong(self, damage: str) -> Line:
        return self.done.failure(damage)["wrong_words"]["first"]


@pytest.fixture(scope="module", params=WAYS)
def checked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """Files written by one launch, each damaged in another way, and checked by a second launch."""
    need_real_programs()
    ranks, options = WAYS[request.param]
    folder = tmp_path_factory.mktemp("wrong")
    stores = {damage: Store(folder / damage) for damage in DAMAGES}

    def launch(**phases: bool) -> Done:
        cases = [
            storage(damage, dir=str(store.folder), check=True, read=False, **phases, **options)
            for damage, store in stores.items()
        ]
        return run_core(write_cases(*cases, folder=folder), ranks=ranks, cwd=folder)

    for store in stores.values():
        store.folder.mkdir()
    launch(keep=True).ended(0)
    before = {}
    for damage, store in stores.items():
        offset = store.wrong_offset
        before[damage] = (offset, word_at(store.last, offset), word_at(store.first, RIGHT_OFFSET))
        DAMAGES[damage](store)
    return Checked(ranks, stores, before, launch(write=False))


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_first_wrong_word_is_named(checked: Checked, damage: str) -> None:
    first = checked.first_wrong(damage)
    offset, expected, _ = checked.before[damage]
    assert Path(first["file"]) == checked.stores[damage].last
    assert first["offset"] == offset
    assert first["rank"] == checked.ranks - 1
    assert int(first["expected"], 16) == expected


def test_a_flipped_byte_is_found(checked: Checked) -> None:
    failure = checked.done.failure("flipped")
    first = failure["wrong_words"]["first"]
    store, (offset, _, _) = checked.stores["flipped"], checked.before["flipped"]
    assert failure["wrong_words"]["count"] == 1
    assert int(first["found"], 16) == word_at(store.last, offset)
    flipped = bytes([0, 0, 0, 0xFF, 0, 0, 0, 0])
    assert int(first["expected"], 16) ^ int(first["found"], 16) == int.from_bytes(flipped, sys.byteorder)


def test_what_is_missing_is_counted_and_not_made_up(checked: Checked) -> None:
    words = checked.done.failure("cut")["wrong_words"]
    assert words["count"] == (BLOCK // 2 - 24) // 8
    assert words["first"]["found"] is None
    assert "missing" in words["first"]["diagnosis"]


def test_a_misplaced_word_is_said_to_belong_elsewhere(checked: Checked) -> None:
    words = checked.done.failure("misplaced")["wrong_words"]
    _, _, moved = checked.before["misplaced"]
    assert words["count"] == 1
    assert int(words["first"]["found"], 16) == moved
    assert f"belongs at offset {RIGHT_OFFSET}" in words["first"]["diagnosis"]
    if checked.stores["misplaced"].first != checked.stores["misplaced"].last:
        assert checked.stores["misplaced"].first.name in words["first"]["diagnosis"]


def test_all_of_it_is_told_by_exit_code_record_and_message(checked: Checked) -> None:
    done = checked.done
    assert done.code == 4
    assert done.of("end")[0]["exit_code"] == 4
    for damage, store in checked.stores.items():
        failure = done.failure(damage)
        assert failure["exit_code"] == 4
        (sample,) = done.samples("check", damage)
        words = checked.ranks * BLOCK // 8
        assert sample["verification"] == {"words": words, "wrong": failure["wrong_words"]["count"]}
        (message,) = (line for line in done.errors if f"'{store.last}'" in line)
        assert str(checked.before[damage][0]) in message


def test_checking_leaves_the_files_of_others(checked: Checked) -> None:
    for store in checked.stores.values():
        assert store.last.stat().st_size > 0


def test_a_study_that_reads_back_what_was_never_written(place: Path) -> None:
    """A hole between two writes holds zeros; a check of all of it finds them."""
    write = phase("write", opening("create"), access("write", count=2, stride=2 * LENGTH), closing())
    check = phase("check", opening("read"), access("check", count=3), closing())
    Path("holes.json").write_text(json.dumps(pattern(write, check, ranks=1)))
    write_study('pattern = "holes.json"', "ranks = 1", without=("block", "transfer"))
    done = ended(*command(), "--trust")  # the study names a file
    assert done.returncode == 4, done.stderr
    assert "are wrong" in done.stderr
    failure = read_lines(place / "RUN", "failure")[0]
    assert failure["exit_code"] == 4
    assert failure["wrong_words"]["count"] == LENGTH // 8
    first = failure["wrong_words"]["first"]
    assert (first["offset"], first["rank"], int(first["found"], 16)) == (LENGTH, 0, 0)
    assert "never written" in first["diagnosis"]
    assert {line["phase"] for line in read_lines(place / "RUN", "sample")} == {"write", "check"}
    assert list(Path("store").iterdir()) == []
