"""Resizes that reserve space: those that make a file longer than what was written or reserved before."""

import numpy as np

from .all_ranks import running_max
from .operations import Kind, LeftOut, Operations


def growing_only(operations: Operations, left_out: LeftOut) -> Operations:
    """Without resizes that cut files or leave them as they are; where ranks make one together, all stay."""
    resizes = operations["kind"] == Kind.PREALLOCATE
    if not resizes.any():
        return operations
    concerned = np.isin(operations["file"], operations["file"][resizes])
    rows = np.flatnonzero(concerned & (resizes | (operations["kind"] == Kind.WRITE)))
    rows = rows[np.lexsort((operations["begin_ns"][rows], operations["file"][rows]))]
    some = operations[rows]
    written = np.where(some["kind"] == Kind.WRITE, some["offset"] + some["span"], 0)
    reserved = np.where(some["kind"] == Kind.WRITE, 0, some["length"])
    longest = running_max(reserved, some["file"])
    grows = (some["length"] > running_max(written, some["file"])) & (some["length"] >= longest)
    keep = np.ones(len(operations), bool)
    keep[rows] = grows | (some["kind"] == Kind.WRITE)
    left_out.add("resizes that make no file longer", np.count_nonzero(~keep))
    return operations[keep]
