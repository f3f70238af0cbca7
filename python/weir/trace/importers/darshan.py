"""Darshan's logs, by the public package `darshan` (PyDarshan), which Weir's base does without."""

from pathlib import Path

from weir.trace.importer import Imported, Importer, importer

MAGIC = 6567223
"""Of all logs from version 3 on, after 8 bytes of version."""


@importer
class Darshan(Importer):
    """Counters of all modules in sum; calls where DXT recorded them."""

    what = "Darshan log"

    def recognises(self, begin: bytes) -> bool:
        """By the magic number, in either order of bytes."""
        number = begin[8:16]
        return MAGIC in (int.from_bytes(number, "little"), int.from_bytes(number, "big")) and len(number) == 8

    def read(self, path: Path) -> Imported:
        """Its reads and writes are those that DXT recorded; its tables are of the counters."""
        # NumPy may be missing; importers are asked before that is known.
        from weir.trace.importers._darshan.dxt import trace_of  # noqa: PLC0415
        from weir.trace.importers._darshan.log import read_log  # noqa: PLC0415

        log = read_log(path)
        return Imported(trace_of(log), log)
