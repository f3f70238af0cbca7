"""The process that reads a log by Darshan's library: `python -m … LOG FOLDER` writes facts.json and segments.

Ends with 0, or says on standard output why the log cannot be read. Any other end is the library's.
"""

import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
from darshan.backend import cffi_backend as backend

from weir.trace.importers._darshan.log import DXT_MODULES, SEGMENT, Counted, Facts, Record, Stripes

COUNTED = {
    "POSIX": "struct darshan_posix_file *",
    "MPI-IO": "struct darshan_mpiio_file *",
    "STDIO": "struct darshan_stdio_file *",
    "H5F": "struct darshan_hdf5_file *",
    "H5D": "struct darshan_hdf5_dataset *",
    "PNETCDF_FILE": "struct darshan_pnetcdf_file *",
    "PNETCDF_VAR": "struct darshan_pnetcdf_var *",
}
MOST_SEGMENTS = 1 << 32
MOST_STRIPES = 1 << 20


class Unreadable(Exception):
    """The log is damaged."""


def main(log_path: str, folder: str) -> int:
    """Read the log into the folder."""
    _limit(Path(log_path).stat().st_size)
    log = backend.log_open(log_path)
    if log["handle"] == backend.ffi.NULL:
        print("the library cannot open it")
        return 1
    try:
        with Path(folder, "segments").open("wb") as out:
            facts = _facts(log, out)
    except (Unreadable, UnicodeDecodeError, ValueError) as error:
        print(error)
        return 1
    Path(folder, "facts.json").write_bytes(msgspec.json.encode(facts))
    return 0


def _limit(log_bytes: int) -> None:
    """A damaged log must not take all memory, or all time."""
    resource.setrlimit(resource.RLIMIT_AS, ((8 << 30) + 400 * log_bytes,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (120 + log_bytes // 10_000,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _facts(log: dict[str, Any], out: BinaryIO) -> Facts:
    job = backend.log_get_job(log)
    modules = backend.log_get_modules(log)
    names = backend.log_get_name_records(log)
    hosts: dict[str, int] = {}
    has_threads = "thread_id" in dict(backend.ffi.typeof("struct segment_info").fields)
    for number, module in enumerate(DXT_MODULES):
        for record in _records(log, module, "struct dxt_file_record *"):
            host = _text(record.hostname)
            _segments(record, number, hosts.setdefault(host, len(hosts)), out)
    if not np.isfinite(job["run_time"]):
        raise Unreadable("its run time is no number")
    return Facts(
        version=job["log_ver"],
        command=backend.log_get_exe(log),
        ranks=job["nprocs"],
        start_s=job["start_time_sec"],
        start_ns=job["start_time_nsec"],
        run_s=job["run_time"],
        modules={name: bool(module["partial_flag"]) for name, module in modules.items()},
        names={int(record): name for record, name in names.items()},
        counted={
            module: _counted(log, module, kind) for module, kind in COUNTED.items() if module in modules
        },
        stripes=list(_stripes(log)),
        hosts=list(hosts),
        has_threads=has_threads,
    )


def _records(log: dict[str, Any], module: str, kind: str) -> Iterator[Any]:
    """The records of a module, each freed when the next is asked for."""
    modules = backend.log_get_modules(log)
    if module not in modules:
        return
    while True:
        buffer = backend.ffi.new("void **")
        got = backend.libdutil.darshan_log_get_record(log["handle"], modules[module]["idx"], buffer)
        if got < 0:
            raise Unreadable(f"its module {module} breaks off")
        if got == 0:
            return
        yield backend.ffi.cast(kind, buffer[0])
        backend.libdutil.darshan_free(buffer[0])


def _counted(log: dict[str, Any], module: str, kind: str) -> Counted:
    counted = Counted(backend.counter_names(module), backend.fcounter_names(module))
    for record in _records(log, module, kind):
        counters = np.frombuffer(backend.ffi.buffer(record.counters), np.int64).tolist()
        seconds = np.frombuffer(backend.ffi.buffer(record.fcounters), np.float64).tolist()
        if not np.isfinite(seconds).all():
            raise Unreadable(f"a time in its module {module} is no number")
        file = int(record.file_rec_id) if module in ("H5D", "PNETCDF_VAR") else 0
        base = record.base_rec
        counted.records.append(Record(int(base.id), int(base.rank), counters, seconds, file))
    return counted


def _segments(record: Any, module: int, host: int, out: BinaryIO) -> None:
    """Write a record's segments: Darshan has its writes first, then its reads."""
    ffi, writes, reads = backend.ffi, int(record.write_count), int(record.read_count)
    count = writes + reads
    if not (0 <= writes < MOST_SEGMENTS and 0 <= reads < MOST_SEGMENTS):
        raise Unreadable("a record of DXT has an impossible number of segments")
    if not count:
        return
    start = ffi.cast("char *", record) + ffi.sizeof("struct dxt_file_record")
    data = np.frombuffer(ffi.buffer(start, count * ffi.sizeof("struct segment_info")), _segment_type())
    rows = np.zeros(count, SEGMENT)
    rows["module"], rows["host"] = module, host
    rows["rank"], rows["record"] = record.base_rec.rank, record.base_rec.id
    rows["writes"] = np.arange(count) < writes
    rows["offset"], rows["length"] = data["offset"], data["length"]
    rows["begin_s"], rows["end_s"] = data["start_time"], data["end_time"]
    if not (np.isfinite(rows["begin_s"]).all() and np.isfinite(rows["end_s"]).all()):
        raise Unreadable("a time of a segment is no number")
    if "thread_id" in (data.dtype.names or ()):
        rows["thread"] = data["thread_id"]
    out.write(rows.tobytes())


def _segment_type() -> np.dtype[Any]:
    kinds = {"double": "<f8", "int64_t": "<i8", "uint64_t": "<u8"}
    fields = backend.ffi.typeof("struct segment_info").fields
    return np.dtype([(name, kinds.get(field.type.cname, "<i8")) for name, field in fields])


def _stripes(log: dict[str, Any]) -> Iterator[Stripes]:
    if "LUSTRE" not in backend.log_get_modules(log):
        return
    names = backend.counter_names("LUSTRE_COMP")
    size, count = names.index("LUSTRE_COMP_STRIPE_SIZE"), names.index("LUSTRE_COMP_STRIPE_COUNT")
    for record in _records(log, "LUSTRE", "struct darshan_lustre_record *"):
        if not 0 <= record.num_comps < 1 << 20:
            raise Unreadable("a record of Lustre has an impossible number of components")
        if not 0 <= record.num_stripes < MOST_STRIPES:
            raise Unreadable("a record of Lustre has an impossible number of stripes")
        osts = [int(record.ost_ids[at]) for at in range(record.num_stripes)]
        for number in range(record.num_comps):
            counters = record.comps[number].counters
            stripes = int(counters[count])
            here, osts = osts[: max(0, stripes)], osts[max(0, stripes) :]
            yield Stripes(int(record.base_rec.id), int(counters[size]), stripes, here)


def _text(characters: Any) -> str:
    return bytes(backend.ffi.string(characters)).decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
