"""Paths of files: what they begin with, and what is known of the folders above them."""

import os
import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

Fact = TypeVar("Fact")


def whole_prefix(text: str) -> str:
    """The beginning of a path as whole paths are compared with it; a slash at its end stays, so that "in/"
    chooses nothing in "in2"."""
    whole = str(Path(text).resolve())
    return f"{whole}{os.sep}" if text.endswith(os.sep) and whole != os.sep else whole


def nearest(folder: str, known: Mapping[str, Fact], found: dict[str, Fact]) -> Fact | None:
    """What is known of the folder, or of the nearest one above it; `found` keeps the answers."""
    at = folder
    while at not in known and at not in found and at not in ("", "/"):
        at = posixpath.dirname(at)
    fact = found.get(at, known.get(at))
    if fact is not None:
        found[folder] = fact
    return fact
