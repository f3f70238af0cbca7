"""Copies of a folder, in each of which one file is damaged."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from .mutations import damaged

AGREED = {0, 1, 2, 3, 4, 5, 6}
"""Exit codes that a verb may end with."""
CASES = int(os.environ.get("WEIR_DAMAGED_FILES", "6"))
SEED = int(os.environ.get("WEIR_DAMAGE_SEED", "1"))


def damaged_copies(whole: Path, folder: Path, files: str, name: str) -> Iterator[tuple[str, random.Random]]:
    """As many as CASES, each at `folder` until the next one is asked for, of those files and for a subject of
    this name: how to repeat it, in words, and what to draw from."""
    names = sorted(str(path.relative_to(whole)) for path in whole.glob(files) if path.is_file())
    assert names
    for number in range(CASES):
        drawn = random.Random(f"{SEED} {name} {number}")
        shutil.copytree(whole, folder)
        path = folder / drawn.choice(names)
        path.write_bytes(damaged(path.read_bytes(), drawn))
        yield f"WEIR_DAMAGE_SEED={SEED}, case {number}", drawn
        shutil.rmtree(folder)
