"""Where the recorder is, and how a program is made to load it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.preload import find_library, no_library, preloading
from weir.trace.paths import whole_prefix

LIBRARY = "libweir-trace.so"
FILES_LIBRARY = "libweir-trace-files.so"
"""The same without the functions of MPI, HDF5 and PnetCDF."""
VARIABLE = "WEIR_TRACE_LIBRARY"
HEAD = "head.json"
"""What `weir trace` writes into the trace's folder, in addition to the recorder's files."""


def find_recorder(files_only: bool = False) -> Path:
    """The recorder's library, or that of files only in the same folder: WEIR_TRACE_LIBRARY if set, else that
    of the native core's installation. Raises WeirError where there is none."""
    found = find_library(LIBRARY, VARIABLE)
    return _beside(found) if files_only else found


def _beside(recorder: Path) -> Path:
    found = recorder.with_name(FILES_LIBRARY)
    if not found.is_file():
        raise no_library(FILES_LIBRARY, VARIABLE, recorder)
    return found


@dataclass(frozen=True)
class Recording:
    """What is to be recorded, and where to."""

    folder: Path
    limit_bytes: int | None = None
    """Of records of each process."""
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    files_only: bool = False
    """Calls of the C library alone, and none of MPI, HDF5 and PnetCDF."""
    redact: bool = False
    """Names are replaced by hashes once the program has ended."""

    def environment(self, library: Path, before: Mapping[str, str]) -> dict[str, str]:
        """The environment `before`, with what makes programs load the recorder. Libraries that are preloaded
        already stay, after it."""
        ours = {"WEIR_TRACE": str(self.folder.resolve())}
        if self.limit_bytes is not None:
            ours["WEIR_TRACE_LIMIT"] = str(self.limit_bytes)
        for name, paths in (("ONLY", self.only), ("EXCLUDE", self.exclude)):
            if paths:
                ours[f"WEIR_TRACE_{name}"] = ":".join(map(whole_prefix, paths))
        return preloading(library, ours, before, VARIABLE)
