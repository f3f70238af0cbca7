"""How a trace's files lie on their file systems, from what `weir trace` wrote into its head."""

import posixpath
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from weir.trace.model import Layout
from weir.trace.names import File
from weir.trace.paths import nearest

_BLOCKS = ("block_folders", "block_bytes")
_STRIPES = ("striped_files", "stripe_bytes", "stripe_counts")
_TARGETS = "stripe_targets"
LISTS = (*_BLOCKS, *_STRIPES, _TARGETS)
"""Keys of the head; each is a list, or is not there."""


def layouts_in(known: Mapping[str, Any], files: Sequence[File]) -> dict[int, Layout]:
    """Those of the files that the head tells of. Paths may be hashes, component by component."""
    blocks = {str(folder): _count(size) for folder, size in zip(*_lists(known, _BLOCKS), strict=False)}
    striped = _striped(known)
    by_folder: dict[str, int] = {}
    found = {}
    for index, file in enumerate(files):
        if file.parent or not file.name.startswith("/"):
            continue
        stripes = striped.get(file.name)
        size = (
            (stripes.alignment_bytes if stripes else 0)
            or nearest(posixpath.dirname(file.name), blocks, by_folder)
            or 0
        )
        if size or stripes:
            found[index] = Layout(size or None, stripes.targets if stripes else ())
    return found


def _striped(known: Mapping[str, Any]) -> dict[str, Layout]:
    targets = iter(_lists(known, (_TARGETS,))[0])
    rows = zip(*_lists(known, _STRIPES), strict=False)
    return {
        str(file): Layout(_count(size), tuple(map(_count, islice(targets, _count(count)))))
        for file, size, count in rows
    }


def _lists(known: Mapping[str, Any], keys: Sequence[str]) -> list[list[Any]]:
    return [known.get(key, []) for key in keys]


def _count(value: Any) -> int:
    """A damaged head may hold anything."""
    return value if type(value) is int and 0 <= value < 2**63 else 0
