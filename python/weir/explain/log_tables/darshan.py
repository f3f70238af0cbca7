"""Darshan's counters as the tables of a trace."""

from collections.abc import Iterator, Sequence

from weir.explain.layers import layered
from weir.explain.summarise import summarise
from weir.explain.summary import FileRow, Head, OperationRow, SizeCount, TraceSummary, TransferRow
from weir.trace.importers._darshan.counters import MEANINGS, Table
from weir.trace.importers._darshan.dxt import limits_of_counters, limits_of_segments, notes_on
from weir.trace.importers._darshan.log import Log, Record
from weir.trace.model import READ, TRANSFERS, Trace

from ._darshan_ranks import slowest_of, spreads_of

METADATA = "metadata"
"""The kind of operation that is all that Darshan measures in one sum."""


def summary_of(log: Log, trace: Trace) -> TraceSummary:
    """The tables; how the run went over time is from `trace`, DXT's segments, where there are any."""
    tables = [
        Table(meaning, log.facts.counted[meaning.module])
        for meaning in MEANINGS
        if meaning.module in log.facts.counted and log.facts.counted[meaning.module].records
    ]
    operations = tuple(row for table in tables for row in _operations(table, trace.ranks))
    files = sorted(_files(log, tables), key=lambda row: -row.total_s)
    transfers = [row for table in tables for kind in TRANSFERS for row in _transfer(table, kind, trace.ranks)]
    return TraceSummary(
        _head(log, trace, tables, sum(row.count for row in operations)),
        tuple(sorted(operations, key=lambda row: -row.total_s)),
        tuple(sorted(transfers, key=lambda row: -row.total_s)),
        tuple(files),
        course=summarise(trace).course if trace.records else None,
        spreads=tuple(spreads_of(log, tables)),
        outermost_s=sum(file.outermost.total_s for file in layered(files)),
    )


def _head(log: Log, trace: Trace, tables: list[Table], calls: int) -> Head:
    metadata = "; ".join(_counts_of_metadata(tables))
    limits = [*limits_of_counters(log), *(limits_of_segments(log) if trace.records else ())]
    return Head(
        name=trace.name,
        source=f"Darshan log, version {log.facts.version}",
        command=trace.command,
        ranks=trace.ranks,
        hosts=trace.hosts,
        processes=trace.processes,
        began_real_s=trace.began_real_ns / 1e9,
        run_s=trace.run_ns / 1e9,
        calls=calls,
        calls_lost=0,
        calls_recorded=trace.records,
        unended=(),
        notes=(*notes_on(log), *([f"Counted in {metadata}."] if metadata else [])),
        cannot_tell=tuple(limits),
    )


def _counts_of_metadata(tables: list[Table]) -> Iterator[str]:
    """What lies in the one sum of times, by module."""
    for table in tables:
        counts = ((name, table.sum([name])) for name in (*table.meaning.opens, *table.meaning.others))
        told = ", ".join(f"{name.lower().replace('_', ' ')} {count:,}" for name, count in counts if count)
        if told:
            yield f"{table.meaning.module}: {told}"


def _operations(table: Table, ranks: int) -> Iterator[OperationRow]:
    meaning = table.meaning
    rows = [
        ("read", READ, meaning.reads, "READ_TIME", table.sum(["BYTES_READ"])),
        ("write", "write", meaning.writes, "WRITE_TIME", table.sum(["BYTES_WRITTEN"])),
        (_spelled(table), METADATA, (*meaning.opens, *meaning.others), "META_TIME", 0),
    ]
    for name, kind, counters, time, moved in rows:
        count, total = table.sum(counters), table.all_seconds(time)
        if count:
            yield OperationRow(
                interface=meaning.interface,
                name=name,
                kind=kind,
                for_io=False,
                count=count,
                failed=0,
                total_s=total,
                own_s=None,
                per_rank_s=total / max(1, ranks),
                bytes=moved,
            )


def _spelled(table: Table) -> str:
    names = [name for name in (*table.meaning.opens, *table.meaning.others) if table.sum([name])]
    of = "" if table.meaning.module == table.meaning.interface else f"{table.meaning.module} "
    return of + "/".join(name.lower().replace("_", " ") for name in names)


def _transfer(table: Table, kind: str, ranks: int) -> Iterator[TransferRow]:
    meaning = table.meaning
    counters = meaning.transfers(kind)
    requests = table.sum(counters)
    if not requests:
        return
    upper = kind.upper()
    total = table.all_seconds(f"{upper}_TIME")
    longest = [table.seconds(record, f"MAX_{upper}_TIME") for record in table.records]
    consecutive, sequential = f"CONSEC_{upper}S", f"SEQ_{upper}S"
    slowest = slowest_of(table, kind, ranks)
    yield TransferRow(
        interface=meaning.interface,
        kind=kind,
        requests=requests,
        collective=table.sum([name for name in counters if name in meaning.collective]),
        bytes=table.sum(["BYTES_READ" if kind == READ else "BYTES_WRITTEN"]),
        smallest=None,
        largest=None,
        histogram=_trimmed([SizeCount(*one) for one in table.classes(kind)]),
        common=(),
        sizes=None,
        consecutive=table.sum([consecutive]) if table.has(consecutive) else None,
        backward=_backward(table, kind, counters, ranks) if table.has(sequential) else None,
        total_s=total,
        per_rank_s=total / max(1, ranks),
        longest_s=max(longest) if table.has_seconds(f"MAX_{upper}_TIME") else None,
        slowest_s=slowest.seconds if slowest else None,
        slowest_exact=slowest.exact if slowest else True,
    )


def _backward(table: Table, kind: str, counters: Sequence[str], ranks: int) -> int:
    """Requests that did not begin after the last one's end, at the least: a rank's first request in a file
    follows none, and is not among those that Darshan counts as sequential."""
    return sum(
        max(
            0,
            table.count(record, counters)
            - table.count(record, [f"SEQ_{kind.upper()}S"])
            - (ranks if record.rank < 0 else 1),
        )
        for record in table.records
    )


def _trimmed(classes: list[SizeCount]) -> tuple[SizeCount, ...]:
    filled = [i for i, one in enumerate(classes) if one.requests]
    return tuple(classes[filled[0] : filled[-1] + 1]) if filled else ()


def _files(log: Log, tables: list[Table]) -> Iterator[FileRow]:
    """A row for each file or dataset and module: sums over the records of all ranks."""
    for table in tables:
        records: dict[int, list[Record]] = {}
        for record in table.records:
            records.setdefault(record.id, []).append(record)
        for number, found in records.items():
            yield _file(log, table, number, found)


def _file(log: Log, table: Table, number: int, records: list[Record]) -> FileRow:
    meaning = table.meaning

    def count(*names: str) -> int:
        return sum(table.count(record, names) for record in records)

    def seconds(name: str) -> float:
        return sum(table.seconds(record, name) for record in records)

    file, dataset = log.name(number), ""
    if meaning.of_datasets:
        file, dataset = _file_and_dataset(log, records[0])
    ends = [
        record.counters[at] + 1
        for record in records
        for kind in ("READ", "WRITTEN")
        if (at := table.place(f"MAX_BYTE_{kind}")) is not None
    ]
    shared = any(record.rank < 0 for record in records)
    alignments = {table.count(record, ["FILE_ALIGNMENT"]) for record in records}
    return FileRow(
        file=file,
        dataset=dataset,
        interface=meaning.interface,
        ranks=log.facts.ranks if shared else len({record.rank for record in records}),
        opens=count(*meaning.opens),
        reads=count(*meaning.reads),
        writes=count(*meaning.writes),
        others=count(*meaning.others),
        bytes_read=count("BYTES_READ"),
        bytes_written=count("BYTES_WRITTEN"),
        end_bytes=max(ends, default=0) or None,
        read_s=seconds("READ_TIME"),
        write_s=seconds("WRITE_TIME"),
        other_s=seconds("META_TIME"),
        unaligned=count("FILE_NOT_ALIGNED") if table.has("FILE_NOT_ALIGNED") else None,
        alignment_bytes=alignments.pop() or None if len(alignments) == 1 else None,
        switches=count("RW_SWITCHES") if table.has("RW_SWITCHES") else None,
        osts=tuple(ost for one in log.facts.stripes if one.record == number for ost in one.osts),
    )


def _file_and_dataset(log: Log, record: Record) -> tuple[str, str]:
    """Darshan names a dataset FILE:DATASET; logs before version 3.4 do not name the file separately."""
    name = log.name(record.id)
    if record.file in log.facts.names:
        file = log.name(record.file)
        return file, name.removeprefix(f"{file}:")
    file, _, dataset = name.rpartition(":")
    return file or name, dataset
