"""Names of what was done and measured: the words of a benchmark for its options, put together."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Any

from weir.results.row import Row, measured
from weir.study.patterns import imitation_words
from weir.study.placement import SPREAD, said
from weir.units import count_words, format_bytes

BY_APPLICATION = "as the application sees it"


def phase_words(row: Row) -> str:
    """ "write, synced at close" or "read, cache dropped"; "create" where operations are counted."""
    extra: list[str] = []
    if row.application and row.moves:
        extra = [BY_APPLICATION]
    elif row.moves == "write":
        extra = [row.vocabulary.say_of_sample("sync", row.sync) if row.sync else "sync unknown"]
        if row.options.get("direct"):
            extra.append("O_DIRECT")
    elif row.moves == "read":
        say = row.vocabulary.say_of_sample
        extra = [say("cache_methods", method) for method in row.cache_methods] or ["cache kept"]
    return ", ".join([row.phase, *extra])


def plural_words(row: Row) -> str:
    """What its numbers are of, of several: "writes", "creates"; "multiply results" where no operations are
    counted."""
    return f"{row.direction}s" if row.moves or row.metric.unit == "1/s" else f"{row.direction} results"


def layout_words(row: Row) -> str:
    """ "shared file" or "file per process"; of a benchmark of metadata, what its files lie in."""
    return value_words(row, "layout", "shared")


def _placed_words(key: str, row: Row) -> str:
    """A part of the placement; empty where the study did not ask for it."""
    return said(key, row.placement[key]) if key in row.placement else ""


def mpi_io_words(row: Row) -> str:
    """ "OMPIO" or "ROMIO"."""
    return row.mpi_io.upper() if row.mpi_io else "the MPI's own choice"


def backend_words(row: Row) -> str:
    """ "POSIX", "MPI-IO independent", "HDF5 collective"; with a file view where one is used."""
    backend = str(row.options.get("backend", "posix"))
    parts = [value_words(row, "backend", backend)]
    collective = _is_collective(row)
    either = backend == "mpiio" or (row.application and backend in ("hdf5", "pnetcdf"))
    if collective or (either and collective is not None):
        parts[0] += " collective" if collective else " independent"
    if backend == "mpiio" and row.options.get("file_view"):
        parts.append("file view")
    if backend == "mpiio" and "pointer" in row.options:
        parts.append(value_words(row, "pointer"))
    return ", ".join(filter(None, parts))


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
    return f"{interface_words(row)} {value_words(row, 'opening')}"


def interface_words(row: Row) -> str:
    """The interface of a benchmark of metadata, with the MPI-IO implementation where one was asked for."""
    name = value_words(row, "interface", "posix")
    return f"{name} ({mpi_io_words(row)})" if row.mpi_io else name


def method_words(row: Row) -> str:
    """How the two-phase library gets arrays into files: "two-phase", "all through rank 0"; empty where it, or
    another back-end, decides that.
    """
    if not row.options.get("method") or row.options.get("backend", "twophase") != "twophase":
        return ""
    return value_words(row, "method")


def data_words(row: Row) -> str:
    """How much data the phase moves."""
    if row.data_bytes is None:
        return "unknown"
    return format_bytes(row.data_bytes) if row.data_bytes else "none"


def ranks_words(row: Row) -> str:
    """ "2 ranks"; empty where others printed a number without them."""
    return count_words(row.ranks, "rank") if row.ranks else ""


def placed_ranks_words(row: Row, ranks: int | None = None) -> str:
    """ "2 ranks of one node", "8 ranks on 4 nodes" of what ranks send each other; `ranks`: those of them that
    took part. Without the nodes where they are not known."""
    count = row.ranks if ranks is None else ranks
    words = count_words(count, "rank") if count else ""
    if row.nodes is None or count < 2:
        return words
    return f"{words} of one node" if row.nodes == 1 else f"{words} on {count_words(row.nodes, 'node')}"


def setting_words(row: Row) -> str:
    """What was measured, without the phase: ranks, transfer size, layout, interface."""
    options = row.options
    parts = [ranks_words(row)]
    if options.get("pattern"):  # it says how much is accessed at once, and by whom
        return ", ".join(filter(None, [*parts, *([strategy_words(row)] if "backend" in options else [])]))
    parts += [option_words(row, key) for key in ("function", "bytes") if key in options]
    if options.get("cells"):
        parts.append(option_words(row, "cells"))
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
    if "blocks" in options:
        parts.append(block_words(row))
    return ", ".join(filter(None, [*parts, *_unusual_words(row)]))


def _unusual_words(row: Row) -> Iterator[str]:
    """What is not as usual among the options that declare words, but for those that are always said."""
    said = ALWAYS_SAID | ({"sync"} if row.moves and not row.application else set())
    if {"blocks", "transfer"} & row.options.keys():
        said |= {"block"}
    for key in row.vocabulary.unusual(row.options):
        # Corners are computed, and so the library never gets them from the program's memory.
        if key == "pack" and row.phase == "corner":
            yield "corners are copied"
        elif key not in said:
            yield option_words(row, key)


def _without_files(row: Row) -> bool:
    return row.application and bool(row.records) and all(one.backend is None for one in row.records)


def block_words(row: Row) -> str:
    """ "64 MiB a rank", or of blocks of cells "16³ cells a block"."""
    if row.options.get("divided"):
        return f"{format_bytes(row.options['block'])} of all ranks"
    return value_words(row, "block")


def transfer_words(row: Row) -> str:
    """ "64 KiB transfers", or if ranks share them "64 KiB transfers of all ranks"."""
    words = value_words(row, "transfer")
    return f"{words} of all ranks" if row.options.get("divided") else words


def value_words(row: Row, key: str, usual: str = "") -> str:
    """What the benchmark calls the value of an option, of which `usual` is meant where it has none; the value
    itself where it has no words."""
    value = row.options.get(key, usual)
    said = row.vocabulary.say(key, value)
    return str(value) if said is None else said


WORDS: dict[str, Callable[[Row], str]] = {
    "node": lambda row: row.node or "any node",
    "benchmark": lambda row: row.benchmark,
    "ranks": ranks_words,
    **{key: partial(_placed_words, key) for key in ("nodes", "ranks_per_node", "binding")},
    "transfer": transfer_words,
    "block": block_words,
    "layout": layout_words,
    "backend": backend_words,
    "opening": opening_words,
    "method": method_words,
    "mpi_io": mpi_io_words,
    "imitation": lambda row: imitation_words(str(row.options.get("imitation"))),
    "env": lambda row: " ".join(f"{name}={value}" for name, value in row.env.items()) or "no variables",
}
"""What takes more than an option to say."""
LAST = ("imitation", "env")
_ALSO = ("function", "bytes", "cells", "files", "interface", "cache", "pointer")
ALWAYS_SAID = {*_ALSO, *WORDS} - {"block"}
"""Options that a setting names whatever their values are, or the words for its phase."""
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
    "node": lambda row: row.node,
    "env": lambda row: row.env,
    "nodes": lambda row: _placed(row, "nodes"),
    "ranks_per_node": lambda row: _placed(row, "ranks_per_node"),
    "threads": lambda row: row.placement.get("threads", row.options.get("threads")),
    "binding": lambda row: row.placement.get("binding"),
}


def _placed(row: Row, key: str) -> int | None:
    """What the study asked for; null of what follows from the ranks."""
    return None if row.placement.get(SPREAD) else row.placement.get(key)


def value_of(row: Row, key: str) -> Any:
    """The value of an option, or of another field of its case: `benchmark`, `ranks`, `mpi_io`, `node`,
    `env`."""
    return CASE_FIELDS[key](row) if key in CASE_FIELDS else row.options.get(key)


def option_words(row: Row, key: str) -> str:
    """One setting of a row: "2 ranks", "64 KiB transfers", "files 1000"."""
    if key in WORDS:
        return WORDS[key](row)
    value = value_of(row, key)
    said = row.vocabulary.say(key, value)
    if said is not None:
        return said if value is not None else ""
    if key.endswith("_bytes") and isinstance(value, int):
        return f"{key.removesuffix('_bytes')} {format_bytes(value)}"
    return f"{key} {str(value).lower() if isinstance(value, bool) else value}"


def label_by(rows: list[Row], ignoring: Collection[str]) -> Callable[[Row], str]:
    """Names rows by what varies among them, save for `ignoring`; empty names where nothing else does.

    An option that only some of the rows have belongs to their back-end, and is left to its name.
    """
    declared = dict.fromkeys(key for row in rows for key in row.vocabulary.words)
    others = sorted({key for row in rows for key in row.options})
    first = (key for key in WORDS if key not in LAST)
    keys = [key for key in dict.fromkeys([*first, *declared, *others]) if key not in LAST] + list(LAST)
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
