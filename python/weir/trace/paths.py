"""What files are chosen by: the beginnings of their paths."""

import os
from pathlib import Path


def whole_prefix(text: str) -> str:
    """The beginning of a path as whole paths are compared with it; a slash at its end stays, so that "in/"
    chooses nothing in "in2"."""
    whole = str(Path(text).resolve())
    return f"{whole}{os.sep}" if text.endswith(os.sep) and whole != os.sep else whole
