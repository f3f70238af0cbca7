"""Where is measured: the storage that was named, and memory beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from peers.array.cases import Place
from peers.launch import scratch

MEMORY = Path("/dev/shm")


@contextmanager
def places(directory: Path) -> Iterator[list[Place]]:
    """Folders of our own on both storages, removed in the end."""
    with ExitStack() as stack:
        found = [Place("disk", stack.enter_context(scratch(directory)), cached=False)]
        if os.access(MEMORY, os.W_OK):
            found.append(Place(str(MEMORY), stack.enter_context(scratch(MEMORY)), cached=True))
        else:
            print(f"left out: {MEMORY}: it cannot be written to")
        yield found
