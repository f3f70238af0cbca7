"""Requests that do not begin where a stripe or a block of the file system begins."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.remark import Remark, rule
from weir.explain.summary import FileRow, TraceSummary
from weir.units import format_bytes, format_seconds, format_share, more_words

from ._files import part_words

FEWEST = 1000
MISALIGNED_SHARE = 0.1
ENDS = 2
"""A request lies in part of a stripe, which another one also touches, at its begin and at its end."""


@rule(
    f"at least {format_share(MISALIGNED_SHARE)} of at least {FEWEST:,} POSIX reads and writes of a file do "
    "not begin at a multiple of its stripe or block; of Weir's traces, those do not count that go on where "
    "the thread's previous one in the file has ended. Darshan logs have the block of each file, and its "
    "stripe with the module LUSTRE. `weir trace` notes the block (statfs) and Lustre's stripes when the "
    "program has ended: of files in memory, of files that only other hosts can see, and of older traces it "
    "does not know them, and the rule says nothing. Where ranks share the file and write, it may explain "
    "their time; else that of the stripes at the requests' ends",
    "10 %: Drishti (misaligned_requests); 1,000 requests, as for small ones",
)
def misaligned(summary: TraceSummary) -> Iterator[Remark]:
    """The file with the most such time."""
    found = [file for file in summary.files if _is_misaligned(file)]
    if not found:
        return
    most = max(found, key=_misaligned_s)
    more = f" The same holds for {more_words(len(found) - 1, 'file')}." if len(found) > 1 else ""
    yield Remark(
        f"{part_words(most.unaligned or 0, most.requests)} of {most.requests:,} POSIX reads and writes "
        "in "
        f"{PurePath(most.file).name}{f', which {most.ranks:,} ranks share,' if most.ranks > 1 else ''} do "
        "not "
        f"begin at a multiple of {format_bytes(most.alignment_bytes or 0)} (of "
        f"{format_bytes(most.bytes // most.requests)} on average, {format_seconds(most.transfer_s)} over "
        f"{summary.head.all}).{more}",
        "Ranks that write parts of one stripe wait for each other's locks."
        if _is_contended(most)
        else f"The system reads whole blocks {'to change' if most.writes else 'for'} a part of them.",
        "Align what ranks write to stripes or blocks: HDF5 by H5Pset_alignment, PnetCDF by "
        "nc_var_align_size, MPI-IO by the hint striping_unit; pad records.",
        sum(map(_misaligned_s, found)) / summary.active,
    )


def _is_misaligned(file: FileRow) -> bool:
    if file.unaligned is None or not file.alignment_bytes or file.alignment_bytes <= 1:
        return False
    return file.requests >= FEWEST and file.unaligned >= MISALIGNED_SHARE * file.requests


def _misaligned_s(file: FileRow) -> float:
    """Over all ranks. In a shared file, a request waits for the lock of its first stripe until the whole one
    before it is done; in a file of one rank it concerns the stripes at its ends alone."""
    share = (file.unaligned or 0) / file.requests
    if _is_contended(file):
        return file.transfer_s * share
    ends = ENDS * (file.alignment_bytes or 0) * file.requests / max(1, file.bytes)
    return file.transfer_s * min(1.0, ends) * share


def _is_contended(file: FileRow) -> bool:
    return file.ranks > 1 and file.writes > 0
