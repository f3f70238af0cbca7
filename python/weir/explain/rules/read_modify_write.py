"""Data that were moved and not asked for: reads in order to write, and more than a library was asked for."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.layers import Layer, LayeredFile, pairs
from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.units import format_bytes, format_seconds, format_share, more_words

LIBRARIES = ("MPI-IO", "HDF5", "PnetCDF")
AMPLIFIED_TIMES = 1.2
AMPLIFIED_BYTES = 1 << 20
LEAST_SHARE = 0.1
SIEVING = "Use collective calls, or turn data sieving off (hints romio_ds_read, romio_ds_write = disable)."
CHUNKS = {
    "read": "Choose chunks that fit what is read at once, and a cache that holds them (H5Pset_chunk_cache).",
    "write": "Align datasets and chunks to what is written at once.",
}
WHY = "These bytes are moved besides those that the program needs; before a write, under a lock of the file."


@rule(
    f"the system moves at least {AMPLIFIED_TIMES:g} times the bytes that a library was asked to read or to "
    "write, "
    f"{AMPLIFIED_BYTES >> 20} MiB more, and {format_share(LEAST_SHARE)} of all that it was asked for; reads "
    "in a file "
    "that "
    "is only written count so",
    "Weir; headers and superblocks of HDF5 and netCDF stay below",
)
def read_modify_write(summary: TraceSummary) -> Iterator[Remark]:
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


def _of_calls(summary: TraceSummary, interface: str, asked: dict[str, int]) -> Iterator[Remark]:
    for kind, chunks in CHUNKS.items():
        inside = [
            row for row in summary.operations if row.for_io and row.interface == "POSIX" and row.kind == kind
        ]
        moved, seconds = sum(row.bytes for row in inside), sum(row.total_s for row in inside)
        if _more(moved, asked[kind], sum(asked.values())):
            yield Remark(
                f"{interface} was asked to {kind} {format_bytes(asked[kind])}; {format_bytes(moved)} "
                f"were moved for that in {format_seconds(seconds)} over {summary.head.all}"
                + (", reading before writing." if kind == "read" and asked[kind] == 0 else "."),
                WHY,
                SIEVING if (interface, kind) == ("MPI-IO", "read") else chunks,
                summary.of_run(seconds * (1 - asked[kind] / moved)),
            )


def _of_files(summary: TraceSummary) -> Iterator[Remark]:
    found = [
        (file, outer, inner) for file, outer, inner in pairs(summary, "MPI-IO") if _is_amplified(outer, inner)
    ]
    if not found:
        return
    file, outer, inner = max(found, key=lambda one: one[1].sum("transfer_s"))
    more = f" The same holds for {more_words(len(found) - 1, 'file')}." if len(found) > 1 else ""
    yield Remark(
        _words(file, outer, inner) + more,
        WHY,
        SIEVING,
        summary.of_run(sum(outer.sum("transfer_s") for _, outer, _ in found)),
    )


def _is_amplified(outer: Layer, inner: Layer) -> bool:
    asked, moved = (
        {kind: layer.sum(kind) for kind in ("bytes_read", "bytes_written")} for layer in (outer, inner)
    )
    return outer.sum("bytes") > 0 and any(
        _more(moved[kind], asked[kind], sum(asked.values())) for kind in asked
    )


def _words(file: LayeredFile, outer: Layer, inner: Layer) -> str:
    parts = [
        f"asked to {verb} {format_bytes(outer.sum(kind))} and the system {done} "
        f"{format_bytes(inner.sum(kind))}"
        for verb, done, kind in (("read", "read", "bytes_read"), ("write", "wrote", "bytes_written"))
        if outer.sum(kind) or inner.sum(kind)
    ]
    return (
        f"In {PurePath(file.name).name}, MPI-IO was {'; it was '.join(parts)}: "
        f"{format_seconds(outer.sum('transfer_s'))} over all ranks in its reads and writes."
    )
