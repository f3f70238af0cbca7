"""A folder that is there for a moment, to try something in it."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.files.walk import folder, path_of, remove_entry


@contextmanager
def passing_folder(directory: Path) -> Iterator[Path]:
    """A new folder in the directory, by its real path; removed with all in it when the context ends. Raises
    WeirError where a link of another user leads there, OSError where it cannot be made or removed."""
    name = f".weir-probe-{os.getpid()}-{secrets.token_hex(4)}"
    with folder(directory) as above:
        os.mkdir(name, 0o700, dir_fd=above)
        try:
            yield path_of(above) / name
        finally:
            remove_entry(above, name)
