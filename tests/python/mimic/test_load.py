import json
from pathlib import Path

import pytest

from end_to_end.patterns import closing, opening, phase
from end_to_end.patterns import pattern as small
from weir.core.client import Core, find_core
from weir.errors import ExitCode, WeirError
from weir.mimic.load import imitate, load
from weir.pattern import steps_of
from weir.replay.prepare import ReplayRequest

from .made import listed, nest

LISTS = [[0, 64, 128, 8], [512, 16]]


def written(folder: Path, data: bytes) -> Path:
    """A pattern whose lists stand in a file of these bytes."""
    step = listed(LISTS)
    del step["access"]["lists"]
    step["access"]["lists_file"] = "mesh.lists"
    path = folder / "p.json"
    path.write_text(json.dumps(small(phase("w", opening("create"), step, closing()), ranks=2)))
    (folder / "mesh.lists").write_bytes(data)
    return path


def packed(lists: list[list[int]]) -> bytes:
    starts = [sum(len(one) // 2 for one in lists[:at]) for at in range(len(lists) + 1)]
    words = [len(lists), *starts, *(number for one in lists for number in one)]
    return b"WEIRLIST" + b"".join(word.to_bytes(8, "little") for word in words)


def test_lists_in_a_file_are_read(tmp_path: Path) -> None:
    _, pattern = load(ReplayRequest(written(tmp_path, packed(LISTS))), Core(find_core()))
    (access,) = [step.access for step in steps_of(pattern.phases[0].steps) if step.access]
    assert access.lists == LISTS


def test_what_are_no_lists_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeirError):
        load(ReplayRequest(written(tmp_path, b"WEIRLOST" + bytes(64))), Core(find_core()))


def test_the_phase_that_makes_files_is_not_imitated(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    read = phase("load", opening("read"), nest("read", ranks=1, length=64), closing())
    path.write_text(json.dumps(small(read, ranks=1)))
    prepared, pattern = load(ReplayRequest(path), Core(find_core()))
    assert [one.name for one in prepared.pattern.phases] == ["prepare", "load"]
    assert [one.name for one in pattern.phases] == ["load"]


def test_a_pattern_without_bytes_has_no_imitation(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(small(phase("w", opening("create"), listed([[]]), closing()), ranks=1)))
    with pytest.raises(WeirError, match="has no imitation") as refused:
        imitate(ReplayRequest(path), Core(find_core()))
    assert refused.value.exit_code is ExitCode.USAGE
