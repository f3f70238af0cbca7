"""Names of what was done and measured, in the field's words; quantities always with unit and interval."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from weir.analyse.detail import Straggler
from weir.analyse.metric import Metric
from weir.analyse.statistics import NO_INTERVAL, MedianEstimate
from weir.results.row import IN_CACHES, Row, measured
from weir.store.records import HintAsked
from weir.units import count_words, format_bytes, format_share, significant

SYNC = {"close": "synced at close", "write": "synced after each write", "never": "not synced"}
CACHE = {
    "drop": "cache dropped",
    "direct": "O_DIRECT",
    "reorder": "by another node",
    "reorder-within-node": "by another rank of the node",
}
LAYOUT = {
    "shared": "shared file",
    "file-per-process": "file per process",
    "shared-directory": "shared directory",
    "private-directory": "directory for each rank",
    "common-file": "common file",
}
INTERFACE = {
    "posix": "POSIX",
    "mpiio": "MPI-IO",
    "null": "null back-end",
    "hdf5": "HDF5",
    "pnetcdf": "PnetCDF",
    "uring": "io_uring",
    "twophase": "two-phase library",
}
MPI_IO = {"ompio": "OMPIO", "romio": "ROMIO"}
METHOD = {
    "two-phase": "two-phase",
    "rank0": "all through rank 0",
    "independent": "each rank its own pieces",
}
BY_APPLICATION = "as the application sees it"
OPENING = {
    "independent": "by every rank",
    "collective": "collective",
    "one-rank": "by one rank for all",
    "broadcast": "by rank 0 with a broadcast",
}


def phase_words(row: Row) -> str:
    """ "write, synced at close" or "read, cache dropped"; "create" where operations are counted."""
    extra: list[str] = []
    if row.application and row.moves:
        extra = [BY_APPLICATION]
    elif row.moves == "write":
        extra = [SYNC.get(row.sync or "", "sync unknown")]
        if row.options.get("direct"):
            extra.append("O_DIRECT")
    elif row.moves == "read":
        extra = [CACHE.get(method, method) for method in row.cache_methods] or ["cache kept"]
    return ", ".join([row.phase, *extra])


def plural_words(row: Row) -> str:
    """What its numbers are of, of several: "writes", "creates"; "multiply results" where no operations are
    counted."""
    return f"{row.direction}s" if row.moves or row.metric.unit == "1/s" else f"{row.direction} results"


def layout_words(row: Row) -> str:
    """ "shared file" or "file per process"; of a benchmark of metadata, what its files lie in."""
    layout = str(row.options.get("layout", "shared"))
    return LAYOUT.get(layout, layout)


def mpi_io_words(row: Row) -> str:
    """ "OMPIO" or "ROMIO"."""
    return MPI_IO.get(row.mpi_io or "", row.mpi_io or "the MPI's own choice")


def backend_words(row: Row) -> str:
    """ "POSIX", "MPI-IO independent", "HDF5 collective"; with a file view where one is used."""
    backend = str(row.options.get("backend", "posix"))
    parts = [INTERFACE.get(backend, backend)]
    collective = _is_collective(row)
    either = backend == "mpiio" or (row.application and backend in ("hdf5", "pnetcdf"))
    if collective or (either and collective is not None):
        parts[0] += " collective" if collective else " independent"
    if backend == "mpiio" and row.options.get("file_view"):
        parts.append("file view")
    pointer = row.options.get("pointer", "explicit")
    if backend == "mpiio" and pointer != "explicit":
        parts.append(f"{pointer} pointer")
    return ", ".join(parts)


def _is_collective(row: Row) -> bool | None:
    """Whether calls are collective. An application's samples say what became of the two-phase library's
    method; null where nothing was measured.
    """
    if "collective" in row.options or "method" not in row.options:
        return bool(row.options.get("collective"))
    return next((one.details["collective"] for one in row.records if "collective" in one.details), None)


def strategy_words(row: Row) -> str:
    """The back-end with the implementation of MPI-IO, where one was asked for: "MPI-IO collective, ROMIO"."""
    return ", ".join([backend_words(row), *([mpi_io_words(row)] if row.mpi_io else [])])


def opening_words(row: Row) -> str:
    """Who opens a common file, and through what: "POSIX by every rank"."""
    opening = str(row.options.get("opening"))
    return f"{interface_words(row)} {OPENING.get(opening, opening)}"


def interface_words(row: Row) -> str:
    """The interface of a benchmark of metadata, with the MPI-IO implementation where one was asked for."""
    interface = str(row.options.get("interface", "posix"))
    name = INTERFACE.get(interface, interface)
    return f"{name} ({mpi_io_words(row)})" if row.mpi_io else name


def method_words(row: Row) -> str:
    """How the two-phase library gets arrays into files: "two-phase", "all through rank 0"; empty where it, or
    another back-end, decides that.
    """
    method = str(row.options.get("method") or "auto")
    if method == "auto" or row.options.get("backend", "twophase") != "twophase":
        return ""
    return METHOD.get(method, method)


def data_words(row: Row) -> str:
    """How much data the phase moves."""
    if row.data_bytes is None:
        return "unknown"
    return format_bytes(row.data_bytes) if row.data_bytes else "none"


def setting_words(row: Row) -> str:
    """What was measured, without the phase: ranks, transfer size, layout, interface."""
    options = row.options
    parts = [count_words(row.ranks, "rank")]
    if options.get("pattern"):  # it says how much is accessed at once, and by whom
        return ", ".join([*parts, *([strategy_words(row)] if "backend" in options else [])])
    parts += [option_words(row, key) for key in ("function", "bytes") if key in options]
    if row.options.get("cells"):
        parts.append(f"{str(options['cells']).replace('x', ' x ')} cells")
    if options.get("transfer") is not None:
        parts.append(transfer_words(row))
    if isinstance(options.get("files"), int) and options["files"] and "transfer" not in options:
        parts.append(count_words(options["files"], "file"))
    if "layout" in options:
        parts.append(layout_words(row))
    if options.get("layout") == "common-file":
        parts.append(opening_words(row))
    elif "interface" in options:
        parts.append(interface_words(row))
    if "backend" in options and not _without_files(row):
        parts.append(strategy_words(row))
    parts.append(method_words(row))
    return ", ".join(filter(None, [*parts, *_block_settings(row)]))


def _block_settings(row: Row) -> list[str]:
    """Of an application's blocks: their size, and what is not as usual."""
    if "blocks" not in row.options:
        return []
    unusual = [key for key in ("blocks", "alignment", "sync") if row.options.get(key)]
    unusual += [
        key for key, words in CHOICES.items() if row.options.get(key) not in (None, next(iter(words)))
    ]
    # Corners are computed, and so the library never gets them from the program's memory.
    copied = row.phase == "corner"
    words = ["corners are copied" if key == "pack" and copied else option_words(row, key) for key in unusual]
    return [block_words(row), *words]


def _without_files(row: Row) -> bool:
    return row.application and bool(row.records) and all(one.backend is None for one in row.records)


def block_words(row: Row) -> str:
    """ "64 MiB a rank", or of blocks of cells "16³ cells a block"."""
    block = row.options["block"]
    of = "of all ranks" if row.options.get("divided") else "a rank"
    return f"{block}³ cells a block" if "blocks" in row.options else f"{format_bytes(block)} {of}"


def transfer_words(row: Row) -> str:
    """ "64 KiB transfers", or if ranks share them "64 KiB transfers of all ranks"."""
    of = " of all ranks" if row.options.get("divided") else ""
    return f"{format_bytes(row.options['transfer'])} transfers{of}"


CHOICES = {
    "datasets": {"separate": "a dataset for each unknown", "one": "one dataset for all unknowns"},
    "memory": {"interleaved": "unknowns interleaved in memory", "separate": "unknowns apart in memory"},
    "pack": {"copy": "packed before", "library": "packed by HDF5's memory hyperslab"},
    "model": {"flow": "computed flow", "analytic": "analytic model"},
    "group_by": {"count": "ranks grouped by number", "node": "ranks grouped by node"},
    "group_requests": {"member": "a request for each member", "combined": "members' requests combined"},
}


def _worded(key: str) -> Callable[[Row], str]:
    return lambda row: CHOICES[key].get(str(row.options[key]), f"{key} {row.options[key]}")


def _blocks_words(row: Row) -> str:
    blocks = row.options["blocks"]
    return f"{blocks} blocks a rank" if blocks else "the usual blocks"


def _alignment_words(row: Row) -> str:
    alignment = row.options["alignment"]
    return f"aligned to {format_bytes(alignment)}" if alignment and alignment > 1 else "not aligned"


def _sync_words(row: Row) -> str:
    sync = row.options["sync"]
    return ("synced" if sync else "not synced") if isinstance(sync, bool) else f"sync {sync}"


IMITATIONS = {"none": "the application", "pattern": "its pattern", "derived": "derived parameters"}


def imitation_words(by: str) -> str:
    """What is carried out: the application, or what stands for it."""
    return IMITATIONS.get(by, f"preset {by}")


WORDS: dict[str, Callable[[Row], str]] = {
    "benchmark": lambda row: row.benchmark,
    "ranks": lambda row: count_words(row.ranks, "rank"),
    "function": lambda row: str(row.options["function"]),
    "bytes": lambda row: "" if row.options["bytes"] is None else format_bytes(row.options["bytes"]),
    "transfer": transfer_words,
    "block": block_words,
    "segments": lambda row: count_words(row.options["segments"], "segment"),
    "layout": layout_words,
    "backend": backend_words,
    "opening": opening_words,
    "method": method_words,
    "mpi_io": mpi_io_words,
    "blocks": _blocks_words,
    "alignment": _alignment_words,
    **{key: _worded(key) for key in CHOICES},
    "sync": _sync_words,
    "active": lambda row: (
        "all ranks" if not row.options["active"] else f"{row.options['active']} ranks take part"
    ),
    "imitation": lambda row: imitation_words(str(row.options.get("imitation"))),
    "env": lambda row: " ".join(f"{name}={value}" for name, value in row.env.items()) or "no variables",
}
COVERED_BY = {
    "backend": {"collective", "file_view", "pointer"},
    "opening": {"interface"},
    "phase": {"sync", "cache", "direct", "dir"},
}
"""Options that the words for another one, or for the phase, already contain."""
CASE_FIELDS: dict[str, Callable[[Row], Any]] = {
    "benchmark": lambda row: row.benchmark,
    "ranks": lambda row: row.ranks,
    "mpi_io": lambda row: row.mpi_io,
    "env": lambda row: row.env,
}


def value_of(row: Row, key: str) -> Any:
    """The value of an option, or of another field of its case: `benchmark`, `ranks`, `mpi_io`, `env`."""
    return CASE_FIELDS[key](row) if key in CASE_FIELDS else row.options.get(key)


def option_words(row: Row, key: str) -> str:
    """One setting of a row: "2 ranks", "64 KiB transfers", "files 1000"."""
    if key in WORDS:
        return WORDS[key](row)
    value = value_of(row, key)
    if key.endswith("_bytes") and isinstance(value, int):
        return f"{key.removesuffix('_bytes')} {format_bytes(value)}"
    return f"{key} {str(value).lower() if isinstance(value, bool) else value}"


def label_by(rows: list[Row], ignoring: Collection[str]) -> Callable[[Row], str]:
    """Names rows by what varies among them, save for `ignoring`; empty names where nothing else does.

    An option that only some of the rows have belongs to their back-end, and is left to its name.
    """
    keys = [*WORDS, *sorted({key for row in rows for key in row.options}.difference(WORDS))]
    covered = COVERED_BY["phase"].union(*(COVERED_BY.get(key, set()) for key in (*keys, *ignoring)))
    if all(row.application for row in rows):
        covered -= {"sync"}  # the words for its phases leave that out
    varying = [key for key in keys if key not in ignoring and key not in covered and _varies(rows, key)]
    return lambda row: ", ".join(words for key in varying if (words := option_words(row, key)))


def _varies(rows: list[Row], key: str) -> bool:
    if key not in CASE_FIELDS and not all(key in row.options for row in rows):
        return False
    if key == "backend":
        return len({backend_words(row) for row in rows}) > 1
    return len({repr(value_of(row, key)) for row in rows}) > 1


def interval_words(row: Row) -> str:
    """ "1420 [1380, 1470] MiB/s", with the reason in place of what does not exist."""
    if row.median is None:
        return f"no number ({aside_words(row) or 'no sample was taken'})"
    return estimate_words(row.metric, row.median, row.low, row.high, row.n)


def estimate_words(metric: Metric, median: float, low: float | None, high: float | None, n: int) -> str:
    """The same of any metric."""
    if low is None or high is None:
        return f"{metric.show(median)} {metric.shown_unit} (no interval: n = {n}, below 6)"
    return f"{metric.show(median)} [{metric.show(low)}, {metric.show(high)}] {metric.shown_unit}"


def quotient_words(found: MedianEstimate, unit: str = "", mark: str = "") -> str:
    """ "0.843 [0.82, 0.86] B/flop (n = 12)"; with a mark, it stands behind the count."""
    number, unit, mark = significant(found.median), f" {unit}" if unit else "", f", {mark}" if mark else ""
    if found.low is None or found.high is None:
        return f"{number}{unit} (no interval, n = {found.count}{mark})"
    return f"{number} [{significant(found.low)}, {significant(found.high)}]{unit} (n = {found.count}{mark})"


def measured_words(row: Row) -> str:
    """The interval with its number of samples; numbers of the caches are marked."""
    words, cached = interval_words(row), f", {IN_CACHES}" if row.in_caches else ""
    if row.low is not None:
        return f"{words} (n = {row.n}{cached})"
    # Where there is no interval, the reason for that names the count already.
    return f"{words.removesuffix(')')}{cached})" if cached else words


def width_words(row: Row) -> str:
    """How wide its own interval is, as a share of its median; how it ended where it has no number."""
    if row.median is None:
        return row.verdict
    if row.low is None or row.high is None:
        return NO_INTERVAL
    width = format_share((row.high - row.low) / abs(row.median)) if row.median else ""
    return f"{width} wide" if width else ""


def aside_words(row: Row) -> str:
    """ "3 samples set aside", of other states of the machine; empty for none."""
    return f"{count_words(row.set_aside, 'sample')} set aside" if row.set_aside else ""


def times_words(ratio: float) -> str:
    """A ratio such as "1.40 times" or "22.0 times"."""
    return f"{significant(ratio)} times"


HINT_STATES = {
    "in force": "is in force",
    "changed": "was changed",
    "ignored": "was ignored",
    "unproven": "is echoed by the library, which echoes even an invented hint, so it proves nothing",
}


def straggler_words(straggler: Straggler) -> str:
    """ "rank 3 was the slowest in 11 of 12 samples, by 1.40 times the mean of all ranks"."""
    return (
        f"rank {straggler.rank} was the slowest in {straggler.times} of "
        f"{count_words(straggler.samples, 'sample')}, with {significant(straggler.lateness)} times "
        "the mean time of all ranks"
    )


def hint_words(hint: HintAsked) -> str:
    """ "hint cb_nodes=2 was changed, to 1"."""
    asked = f"hint {hint.hint}={hint.value}"
    state = HINT_STATES.get(hint.state or "", f"is in the state '{hint.state}'")
    now = f", to {hint.in_force}" if hint.state == "changed" and hint.in_force is not None else ""
    return f"{asked} {state}{now}"


def cache_words(rows: list[Row]) -> str:
    """What was done about syncs and caches."""
    moving = [row for row in measured(rows) if row.moves and not row.application]
    methods = sorted({phase_words(row) for row in moving}, reverse=True)
    return f"Syncs and caches: {'; '.join(methods)}." if methods else ""


def cached_action(rows: Iterable[Row]) -> str:
    """The key of what to do about rows that come from the page cache."""
    return "cached-anyway" if any(row.cache_methods for row in rows) else "avoid-cache"


def join_words(parts: Iterable[str]) -> str:
    """ "a, b and c"."""
    words = list(parts)
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def capital(text: str) -> str:
    """The text with its first letter in upper case and the rest as it is."""
    return text[:1].upper() + text[1:]
