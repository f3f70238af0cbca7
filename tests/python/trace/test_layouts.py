"""How the files of a trace lie on their file systems, from its head."""

from typing import Any

import pytest

from weir.redaction import Redactor
from weir.trace.layouts import layouts_in
from weir.trace.model import Layout
from weir.trace.names import File

FILES = [
    File("", 0),
    File("/a/b", 0),
    File("/dev/shm/c", 0),
    File("/l/d", 0),
    File("density", 1),
    File("e", 0),
]
HEAD: dict[str, Any] = {
    "block_folders": ["/", "/dev/shm", "/l"],
    "block_bytes": [4096, 0, 8192],
    "striped_files": ["/l/gone", "/l/d"],
    "stripe_bytes": [1, 1 << 20],
    "stripe_counts": [1, 2],
    "stripe_targets": [9, 3, 4],
}


def test_a_stripe_counts_before_a_block_and_memory_has_neither() -> None:
    assert layouts_in(HEAD, FILES) == {1: Layout(4096), 3: Layout(1 << 20, (3, 4))}


def test_hashes_in_place_of_names_find_each_other() -> None:
    redactor = Redactor(key=b"key")
    head = {key: redactor.words(value) if isinstance(value[0], str) else value for key, value in HEAD.items()}
    files = [file._replace(name=redactor.path(file.name)) for file in FILES]
    assert layouts_in(head, files) == layouts_in(HEAD, FILES)


@pytest.mark.parametrize("key", HEAD)
@pytest.mark.parametrize("value", [[], [None], ["x", -1, 2**70], [[1]], [{}, 3]])
def test_a_damaged_head_does_no_harm(key: str, value: list[object]) -> None:
    for layout in layouts_in(HEAD | {key: value}, FILES).values():
        assert layout.alignment_bytes is None or layout.alignment_bytes > 0


def test_an_older_head_knows_nothing() -> None:
    assert layouts_in({}, FILES) == {}
