"""Data that were moved and not asked for: reads in order to write, and more than a library was asked for."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.layers import Layer, pairs
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.units import format_share

from ._files import and_more

LIBRARIES = ("MPI-IO", "HDF5", "PnetCDF")
AMPLIFIED_TIMES = 1.2
AMPLIFIED_BYTES = 1 << 20
LEAST_SHARE = 0.1
WHY = "these bytes move besides the program's; before a write, under a lock"
CHUNKS = {"read": "fit-chunks", "write": "align-chunks"}


@rule(
    title="Extra bytes, {subject}",
    remedies={
        "no-sieving": Remedy("collective calls, or hints romio_ds_read, romio_ds_write = disable", WHY),
        "fit-chunks": Remedy("fit chunks to what is read, and their cache (H5Pset_chunk_cache)", WHY),
        "align-chunks": Remedy("align datasets and chunks to what is written at once", WHY),
    },
    speaks=f"the system moves at least {AMPLIFIED_TIMES:g} times the bytes that a library was asked to "
    "read or to "
    f"write, {AMPLIFIED_BYTES >> 20} MiB more, and {format_share(LEAST_SHARE)} of all that it was asked for; "
    "reads in a file that is only written count so",
    source="Weir; headers and superblocks of HDF5 and netCDF stay below",
)
def read_modify_write(summary: TraceSummary) -> Iterator[Answer]:
    """Where the trace has calls inside libraries' calls, by those; else by file."""
    bytes_of = {(row.interface, row.kind): row.bytes for row in summary.transfers}
    if any(row.for_io for row in summary.operations):
        for interface in LIBRARIES:
            asked = {kind: bytes_of.get((interface, kind), 0) for kind in CHUNKS}
            if sum(asked.values()) > 0:
                yield from _of_calls(summary, interface, asked)
                return  # what lies further inside is the same bytes again
    else:
        yield from _of_files(summary)


def _more(moved: float, asked: float, all_asked: float) -> bool:
    more = moved - asked >= AMPLIFIED_BYTES
    return more and moved > AMPLIFIED_TIMES * asked and moved > LEAST_SHARE * all_asked


def _of_calls(summary: TraceSummary, interface: str, asked: dict[str, int]) -> Iterator[Answer]:
    for kind, chunks in CHUNKS.items():
        inside = [
            row for row in summary.operations if row.for_io and row.interface == "POSIX" and row.kind == kind
        ]
        moved, seconds = sum(row.bytes for row in inside), sum(row.total_s for row in inside)
        if _more(moved, asked[kind], sum(asked.values())):
            yield costs(
                "read_modify_write",
                (f"{kind}s", interface),
                summary.of_run(seconds * (1 - asked[kind] / moved)),
                "no-sieving" if (interface, kind) == ("MPI-IO", "read") else chunks,
                (
                    *_asked_and_moved(kind, asked[kind], moved),
                    Evidence(f"that took over {summary.head.all}", seconds, "s"),
                ),
            )


def _asked_and_moved(kind: str, asked: float, moved: float) -> tuple[Evidence, ...]:
    return Evidence(f"asked to {kind}", asked, "B"), Evidence(f"{kind} by the system", moved, "B")


def _of_files(summary: TraceSummary) -> Iterator[Answer]:
    found = [
        (file, outer, inner) for file, outer, inner in pairs(summary, "MPI-IO") if _is_amplified(outer, inner)
    ]
    if not found:
        return
    file, outer, inner = max(found, key=lambda one: one[1].sum("transfer_s"))
    moved = [
        _asked_and_moved(kind, outer.sum(key), inner.sum(key))
        for kind, key in (("read", "bytes_read"), ("write", "bytes_written"))
        if outer.sum(key) or inner.sum(key)
    ]
    yield costs(
        "read_modify_write",
        ("MPI-IO", and_more(file.name, len(found))),
        summary.of_run(sum(outer.sum("transfer_s") for _, outer, _ in found)),
        "no-sieving",
        (
            *(one for both in moved for one in both),
            Evidence(f"its reads and writes over {summary.head.all}", outer.sum("transfer_s"), "s"),
        ),
    )


def _is_amplified(outer: Layer, inner: Layer) -> bool:
    asked, moved = (
        {kind: layer.sum(kind) for kind in ("bytes_read", "bytes_written")} for layer in (outer, inner)
    )
    return outer.sum("bytes") > 0 and any(
        _more(moved[kind], asked[kind], sum(asked.values())) for kind in asked
    )
