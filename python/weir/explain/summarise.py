"""A trace to its tables, in one pass."""

from weir.trace.model import Trace

from .nesting import Nest, io_calls, setup_calls
from .summary import Head, LostRow, Summary
from .tables.course import CourseTable
from .tables.files import FileTable
from .tables.marks import MarkTable
from .tables.operations import OperationTable
from .tables.ranks import RankTable
from .tables.transfers import TransferTable


def summarise(trace: Trace) -> Summary:
    """All tables of a trace. Memory grows with its files and ranks, and not with its calls.

    What MPI does with files of its own while it starts and ends is left out.
    """
    operations, transfers, files = OperationTable(trace), TransferTable(trace), FileTable(trace)
    ranks, course, marks = RankTable(trace), CourseTable(trace), MarkTable(trace)
    is_io, setup = io_calls(trace), setup_calls(trace)
    for batch in trace.batches():
        nest = Nest(batch, is_io[batch.call]).without_inside(setup)
        for table in (operations, transfers, files, ranks, course, marks) if len(nest.batch) else ():
            table.add(nest)
    return Summary(
        head_of(trace),
        operations.rows(),
        transfers.rows(),
        files.rows(),
        ranks.rows(),
        course.course(),
        marks.rows(),
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
        lost_why=trace.lost_why,
        lost_from_s=None if trace.lost_from_ns is None else trace.lost_from_ns / 1e9,
        lost=tuple(
            LostRow(one.call, one.calls, one.bytes, one.took_ns / 1e9) for one in trace.lost if one.call
        ),
        threads=len(trace.lanes),
        ranked=trace.ranked,
        at_a_time=trace.at_a_time,
        unseen=trace.unseen,
        notes=trace.notes,
    )
