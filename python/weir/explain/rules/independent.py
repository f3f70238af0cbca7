"""Independent MPI-IO on shared files, where collective calls could join small pieces."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.remark import Remark, rule
from weir.explain.summary import FileRow, TraceSummary, TransferRow
from weir.trace.model import READ
from weir.units import count_words, format_bytes, format_seconds, format_share

from ._files import count_of, part_words, with_transfers

FEWEST = 100
INDEPENDENT_SHARE = 0.5
LARGE = 2**20


@rule(
    f"at least {format_share(INDEPENDENT_SHARE)} of at least {FEWEST} MPI-IO reads or writes are "
    "independent, and "
    "files that "
    f"several ranks share are accessed in pieces of less than {LARGE >> 20} MiB on average",
    "50 %: Drishti (collective_operations), which asks for 1,000 requests; pieces of 1 MiB gain little from "
    "being joined (a Lustre stripe, by default)",
)
def independent(summary: TraceSummary) -> Iterator[Remark]:
    """By kind of transfer."""
    for row in summary.transfers:
        if row.interface != "MPI-IO" or row.requests < FEWEST:
            continue
        alone = row.requests - row.collective
        shared = [one for one in summary.files if _is_shared_in_pieces(one, row)]
        if alone < max(FEWEST, INDEPENDENT_SHARE * row.requests) or not shared:
            continue
        most = max(shared, key=lambda one: count_of(one, row.kind))
        part = "None" if not row.collective else f"Only {row.collective:,}"
        yield Remark(
            f"{part} of {row.requests:,} {row.kind}s through MPI-IO {'is' if row.collective < 2 else 'are'} "
            f"collective, and {count_words(len(shared), 'file is', 'files are')} shared by ranks in small "
            f"pieces: {PurePath(most.file).name} by {most.ranks:,} ranks, {count_of(most, row.kind):,} "
            f"{row.kind}s of {format_bytes(_mean(most, row))} on average. They take "
            f"{format_seconds(row.total_s)} over {summary.head.all} ({part_words(alone, row.requests)} of "
            "them independent).",
            "Each rank's pieces go to the file system one by one, and neighbours contend for its locks.",
            "Where ranks move small or interleaved pieces at the same time, use the _all calls (HDF5: "
            "collective "
            "transfers, H5Pset_dxpl_mpio, and collective metadata, H5Pset_coll_metadata_write).",
            with_transfers(summary, row, alone / row.requests),
        )


def _mean(file: FileRow, row: TransferRow) -> int:
    moved = file.bytes_read if row.kind == READ else file.bytes_written
    return moved // max(1, count_of(file, row.kind))


def _is_shared_in_pieces(file: FileRow, row: TransferRow) -> bool:
    if file.interface != "MPI-IO" or file.ranks < 2 or not count_of(file, row.kind):
        return False
    return _mean(file, row) < LARGE
