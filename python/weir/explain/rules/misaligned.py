"""Requests that do not begin where a stripe or a block of the file system begins."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import FileRow, TraceSummary
from weir.units import format_bytes, format_share

from ._files import and_more

FEWEST = 1000
MISALIGNED_SHARE = 0.1
ENDS = 2
"""A request lies in part of a stripe, which another one also touches, at its begin and at its end."""
ALIGN = "align to {block}: H5Pset_alignment, nc_var_align_size, striping_unit"


@rule(
    title="Misaligned requests, {subject}",
    remedies={
        "align-shared": Remedy(ALIGN, "ranks that write one stripe wait for each other's locks"),
        "align-written": Remedy(ALIGN, "the system reads whole blocks to change a part"),
        "align-read": Remedy(ALIGN, "the system reads whole blocks for a part"),
    },
    speaks=f"at least {format_share(MISALIGNED_SHARE)} of at least {FEWEST:,} POSIX reads and writes of a "
    "file do "
    "not begin at a multiple of its stripe or block; of Weir's traces, those do not count that go on where "
    "the thread's previous one in the file has ended. Darshan logs have the block of each file, and its "
    "stripe with the module LUSTRE. `weir trace` notes the block (statfs) and Lustre's stripes when the "
    "program has ended: of files in memory, of files that only other hosts can see, and of older traces it "
    "does not know them, and the rule says nothing. Where ranks share the file and write, it may explain "
    "their time; else that of the stripes at the requests' ends",
    source="10 %: Drishti (misaligned_requests); 1,000 requests, as for small ones",
)
def misaligned(summary: TraceSummary) -> Iterator[Answer]:
    """The file with the most such time."""
    found = [file for file in summary.files if _is_misaligned(file)]
    if not found:
        return
    most = max(found, key=_misaligned_s)
    contended = "align-shared" if _is_contended(most) else ""
    yield costs(
        "misaligned",
        (and_more(most.file, len(found)),),
        sum(map(_misaligned_s, found)) / summary.active,
        contended or ("align-written" if most.writes else "align-read"),
        (
            Evidence("reads and writes", most.requests),
            Evidence("misaligned", (most.unaligned or 0) / most.requests, "share"),
            Evidence("stripe or block", most.alignment_bytes or 0, "B"),
            Evidence("mean request", most.bytes // most.requests, "B"),
            Evidence("ranks that use the file", most.ranks),
            Evidence(f"reads and writes over {summary.head.all}", most.transfer_s, "s"),
        ),
        block=format_bytes(most.alignment_bytes or 0),
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
