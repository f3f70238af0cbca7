"""A folder that appears under its name when it is whole."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.files.permission import folder_mode
from weir.files.remove import remove_entry
from weir.files.walk import entry
from weir.files.write import DRAFT


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the name when the context ends well, and is removed if it does not.
    Raises WeirError for a place of another user, OSError if something of that name is there or it cannot be
    made."""
    with entry(path) as (above, name):
        draft = f"{DRAFT}{secrets.token_hex(8)}"
        os.mkdir(draft, folder_mode(), dir_fd=above)
        try:
            yield path.with_name(draft)
            os.rename(draft, name, src_dir_fd=above, dst_dir_fd=above)
        except BaseException:
            remove_entry(above, draft)
            raise
