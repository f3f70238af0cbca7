"""Resizes that reserve space: those that make a file longer than what was written to it before."""

import numpy as np

from .operations import Kind, LeftOut, Operations


def growing_only(operations: Operations, left_out: LeftOut) -> Operations:
    """Without resizes that cut files or leave them as they are."""
    resizes = operations["kind"] == Kind.PREALLOCATE
    if not resizes.any():
        return operations
    concerned = np.isin(operations["file"], operations["file"][resizes])
    rows = np.flatnonzero(concerned & (resizes | (operations["kind"] == Kind.WRITE)))
    rows = rows[np.lexsort((operations["begin_ns"][rows], operations["file"][rows]))]
    keep = np.ones(len(operations), bool)
    file, end = -1, 0
    for row in rows.tolist():
        one = operations[row]
        if one["file"] != file:
            file, end = int(one["file"]), 0
        if one["kind"] == Kind.WRITE:
            end = max(end, int(one["offset"] + one["length"]))
        else:
            keep[row] = one["length"] > end
    left_out.add("resizes that make no file longer", np.count_nonzero(~keep))
    return operations[keep]
