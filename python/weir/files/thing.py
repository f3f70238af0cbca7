"""A path that a person named, looked at as far as is needed to say what it is."""

import os
import stat
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

BEGIN_BYTES = 4096
"""So many bytes of a file are enough to recognise it."""
HDF5 = b"\x89HDF\r\n\x1a\n"
FAULTS = (OSError, RuntimeError, LookupError, ValueError, TypeError, OverflowError, MemoryError)
"""What h5py raises of a file that is not as it should be."""
_MOST_NAMES = 4096


@dataclass(frozen=True)
class Thing:
    """What a word names: a file, a folder, or nothing."""

    word: str

    @property
    def path(self) -> Path:
        """As named."""
        return Path(self.word)

    @cached_property
    def is_folder(self) -> bool:
        """Links are followed, as by the verbs."""
        return self.path.is_dir()

    @cached_property
    def begin(self) -> bytes:
        """The first bytes of a file; nothing of what is none, or cannot be read."""
        try:
            descriptor = os.open(self.word, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        except (OSError, ValueError):
            return b""
        try:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            return os.read(descriptor, BEGIN_BYTES) if is_file else b""
        except OSError:
            return b""
        finally:
            os.close(descriptor)

    @property
    def is_hdf5(self) -> bool:
        """By its first bytes."""
        return self.begin.startswith(HDF5)

    @cached_property
    def names(self) -> frozenset[str]:
        """Of what lies in the root of a file of HDF5, some thousands at the most; none of what is damaged, or
        where the package h5py is not installed. Names that are no text, of damaged files, are left out."""
        if not self.is_hdf5:
            return frozenset()
        try:
            import h5py  # noqa: PLC0415 - it takes a while to load, and may be missing

            with h5py.File(self.word, "r", locking="best-effort") as root:
                return frozenset(name for name in islice(root, _MOST_NAMES) if isinstance(name, str))
        except (ImportError, *FAULTS):
            return frozenset()

    def holds(self, pattern: str) -> bool:
        """Does the folder have such a file?"""
        try:
            return self.is_folder and next(self.path.glob(pattern), None) is not None
        except OSError:
            return False
