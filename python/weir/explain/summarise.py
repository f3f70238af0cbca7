"""The tables of any trace: Weir's own, in one pass over its calls, or another tool's log."""

import importlib.util
from pathlib import Path

from weir.errors import WeirError
from weir.redaction import Redactor
from weir.trace.importer import Imported, importer_of
from weir.trace.model import Trace
from weir.trace.open import open_trace
from weir.trace.redact import redacted

from .critical_path.sums import PathSums
from .nesting import Nest, io_calls, setup_calls
from .profile.sums import ProfileSums
from .sections.files import FileSums
from .sections.operations import OperationSums
from .sections.over_time import OverTimeSums
from .sections.phases import MarkSums
from .sections.ranks import RankSums
from .sections.requests import TransferSums
from .summary import Head, LostRow, TraceSummary


def summarise(trace: Trace) -> TraceSummary:
    """All tables of a trace. Memory grows with its files and ranks, and not with its calls.

    What MPI does with files of its own while it starts and ends is left out.
    """
    operations, transfers, files = OperationSums(trace), TransferSums(trace), FileSums(trace)
    ranks, course, marks = RankSums(trace), OverTimeSums(trace), MarkSums(trace)
    profile, path = ProfileSums(trace), PathSums(trace)
    all_sums = (operations, transfers, files, ranks, course, marks, profile, path)
    is_io, setup = io_calls(trace), setup_calls(trace)
    for batch in trace.batches():
        nest = Nest(batch, is_io[batch.call]).without_inside(setup)
        for sums in all_sums if len(nest.batch) else ():
            sums.add(nest)
    tables = (
        operations.rows(),
        transfers.rows(),
        files.rows(transfers.unaligned),
        ranks.rows(),
        course.rows(),
        marks.rows(),
    )
    return TraceSummary(
        head_of(trace), *tables, profile=profile.rows(), path=path.rows(), slowest_did=ranks.slowest_did()
    )


def head_of(trace: Trace) -> Head:
    """What the trace says of itself."""
    return Head(
        name=trace.name,
        source="Weir trace",
        command=trace.command,
        ranks=trace.ranks,
        hosts=trace.hosts,
        processes=trace.processes,
        began_real_s=trace.began_real_ns / 1e9,
        run_s=trace.run_ns / 1e9,
        end_known=trace.end_known,
        calls=trace.recorded,
        calls_lost=sum(lost.calls for lost in trace.lost),
        unended=trace.unended,
        missing=trace.missing,
        lost_why=trace.lost_why,
        lost_from_s=None if trace.lost_from_ns is None else trace.lost_from_ns / 1e9,
        lost=tuple(
            LostRow(one.call, one.calls, one.bytes, one.took_ns / 1e9) for one in trace.lost if one.call
        ),
        threads=_threads(trace),
        ranked=trace.ranked,
        at_a_time=trace.at_a_time,
        unseen=trace.unseen,
        notes=trace.notes,
        damaged=trace.damaged,
    )


def _threads(trace: Trace) -> int:
    """That made calls. Processes of a rank that follow each other are no threads beside each other."""
    beside = not trace.ranked or (trace.at_a_time or 0) > trace.ranks
    return len(trace.lanes) if beside else min(trace.ranks, len(trace.lanes))


def tables_of(path: Path, redactor: Redactor | None = None) -> tuple[TraceSummary, Trace]:
    """The tables, and the trace that they are of; a log that only counts has no calls in it. A redactor's
    hashes stand for names. Raises WeirError for no trace, and where names cannot be replaced."""
    importer = importer_of(path)
    if importer is None:
        trace = open_trace(path)
        trace = redacted(trace, redactor) if redactor else trace
        return summarise(trace), trace
    if redactor:
        raise WeirError(
            f"the names in {path} cannot be replaced",
            "it is another tool's log",
            "replace them by that tool: darshan-convert --obfuscate",
        )
    imported = importer.read(path)
    return _tables_of_log(type(importer).__module__.rpartition(".")[2], imported), imported.trace


def _tables_of_log(name: str, imported: Imported) -> TraceSummary:
    """From its counters, by the module of `weir.explain.log_tables` with the importer's name; without one,
    from its calls."""
    module = f"weir.explain.log_tables.{name}"
    if importlib.util.find_spec(module) is None:
        return summarise(imported.trace)
    found: TraceSummary = importlib.import_module(module).summary_of(imported.log, imported.trace)
    return found
