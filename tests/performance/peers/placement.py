"""Buffers of both sides at the same places of their pages, whatever each allocated before."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from peers.launch import scratch

SOURCE = Path(__file__).with_name("page_malloc.c")
KEPT = "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296"
"""Blocks that a library allocates and frees in each call cost no page faults."""


@contextmanager
def on_pages(*, filled: bool = False) -> Iterator[dict[str, str]]:
    """The environment for it; empty, with a word, where there is no C compiler. `filled`: large blocks are
    written to, as a program's messages would be."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("there is no C compiler: buffers lie where malloc places them, which decides on times")
        yield {}
        return
    with scratch(Path("/tmp")) as folder:
        library = folder / "page_malloc.so"
        subprocess.run(
            [compiler, "-O2", "-shared", "-fPIC", *(["-DFILLED"] if filled else []), SOURCE, "-o", library],
            check=True,
        )
        yield {"LD_PRELOAD": str(library), "GLIBC_TUNABLES": KEPT}
