"""Independent MPI-IO on shared files, where collective calls could join small pieces."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import FileRow, TraceSummary, TransferRow
from weir.units import format_share

from ._files import count_of, file_name, in_files, mean_of, with_transfers

FEWEST = 100
INDEPENDENT_SHARE = 0.5
LARGE = 2**20


@rule(
    title="Independent {subject}",
    remedies={
        "collective": Remedy(
            "use the _all calls; HDF5: H5Pset_dxpl_mpio, collective metadata",
            "pieces go to storage one by one, and contend for locks",
        )
    },
    speaks=f"at least {format_share(INDEPENDENT_SHARE)} of at least {FEWEST} MPI-IO reads or writes are "
    f"independent, and files that several ranks share are accessed in pieces of less than {LARGE >> 20} "
    "MiB on "
    "average",
    source="50 %: Drishti (collective_operations), which asks for 1,000 requests; pieces of 1 MiB gain "
    "little "
    "from being joined (a Lustre stripe, by default)",
)
def independent(summary: TraceSummary) -> Iterator[Answer]:
    """By kind of transfer, the shared file with the most requests."""
    for row in summary.transfers:
        if row.interface != "MPI-IO" or row.requests < FEWEST:
            continue
        alone = row.requests - row.collective
        shared = [one for one in summary.files if _is_shared_in_pieces(one, row)]
        if alone < max(FEWEST, INDEPENDENT_SHARE * row.requests) or not shared:
            continue
        most = max(shared, key=lambda one: count_of(one, row.kind))
        yield costs(
            "independent",
            (f"{row.kind}s", file_name(most.file)),
            with_transfers(summary, row, alone / row.requests),
            "collective",
            (
                Evidence(f"{row.kind}s through MPI-IO", row.requests),
                Evidence("collective", row.collective),
                Evidence("independent", alone / row.requests, "share"),
                Evidence("files shared in small pieces", len(shared)),
                Evidence("ranks that share it", most.ranks),
                *in_files([most], row.kind)[1],
                Evidence(f"{row.kind}s over {summary.head.all}", row.total_s, "s"),
            ),
        )


def _is_shared_in_pieces(file: FileRow, row: TransferRow) -> bool:
    if file.interface != "MPI-IO" or file.ranks < 2 or not count_of(file, row.kind):
        return False
    return mean_of(file, row.kind) < LARGE
