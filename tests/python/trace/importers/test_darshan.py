"""Darshan logs: their totals are those of Darshan's own tools, and broken ones are refused."""

import functools
import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weir.errors import WeirError
from weir.explain.summarise import tables_of
from weir.explain.summary import TraceSummary
from weir.extras import how_to_install
from weir.trace.importer import importer_of
from weir.trace.model import Trace
from weir.trace.open import open_trace

from ..programs import ROOT, weir

HEAD = b"3.41\0\0\0\0" + (6567223).to_bytes(8, "little")
MODULES = {
    "POSIX": ("POSIX", ["READS"], ["WRITES"], ["OPENS"]),
    "MPI-IO": (
        "MPIIO",
        ["INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS"],
        ["INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES"],
        ["INDEP_OPENS", "COLL_OPENS"],
    ),
    "STDIO": ("STDIO", ["READS"], ["WRITES"], ["OPENS", "FDOPENS"]),
}


def logs() -> list[Path]:
    """Public logs: in the folder that WEIR_TEST_DARSHAN names, or three that come with the package."""
    named = os.environ.get("WEIR_TEST_DARSHAN", ROOT.parent / "shared" / "data" / "darshan")
    found = sorted(Path(named).glob("*.darshan"))
    package = importlib.util.find_spec("darshan")
    if not found and package is not None and package.submodule_search_locations:
        inside = Path(package.submodule_search_locations[0]).glob("examples/example_logs/*.darshan")
        found = sorted(inside, key=lambda path: path.stat().st_size)[:3]
    return found


needs_package = pytest.mark.skipif(
    importlib.util.find_spec("darshan") is None, reason="the package darshan is not installed"
)
each_log = pytest.mark.parametrize("log", logs(), ids=lambda path: path.stem)
"""Without logs no case runs: WEIR_TEST_DARSHAN names a folder with some."""


@functools.cache
def read(log: Path) -> tuple[TraceSummary, Trace]:
    return tables_of(log)


@functools.cache
def report(log: Path) -> Any:
    return importlib.import_module("darshan").DarshanReport(str(log), read_all=False)


def sums(log: Path, module: str, prefix: str, *names: str) -> int:
    """These counters as PyDarshan has them; -1 is unknown."""
    records = report(log).records.get(module)
    if records is None:
        report(log).mod_read_all_records(module)
        records = report(log).records[module]
    counters = records.to_df()["counters"]
    return sum(int(counters[f"{prefix}_{name}"].clip(lower=0).sum()) for name in names)


@needs_package
@each_log
def test_totals_are_those_of_darshan(log: Path) -> None:
    summary, _ = read(log)
    for module, (prefix, reads, writes, opens) in MODULES.items():
        if module not in report(log).modules:
            assert not any(row.interface == module for row in summary.operations)
            continue
        for kind, counters, moved in (("read", reads, "BYTES_READ"), ("write", writes, "BYTES_WRITTEN")):
            rows = [row for row in summary.transfers if (row.interface, row.kind) == (module, kind)]
            assert sum(row.requests for row in rows) == sums(log, module, prefix, *counters)
            assert sum(row.bytes for row in rows) == sums(log, module, prefix, moved)
        files = [row for row in summary.files if row.interface == module]
        assert sum(row.opens for row in files) == sums(log, module, prefix, *opens)
        assert sum(row.reads for row in files) == sums(log, module, prefix, *reads)
    assert summary.head.ranks == report(log).metadata["job"]["nprocs"]


@needs_package
@each_log
def test_every_segment_of_dxt_is_a_call(log: Path) -> None:
    _, trace = read(log)
    wanted = 0
    for module in ("DXT_POSIX", "DXT_MPIIO"):
        if module in report(log).modules:
            report(log).mod_read_all_dxt_records(module, dtype="dict")
            for record in report(log).records[module]:
                wanted += record["write_count"] + record["read_count"]
    assert trace.records == wanted
    for batch in trace.batches():
        in_order = (np.diff(batch.end_ns) >= 0) | (np.diff(batch.lane) > 0)
        assert (batch.took_ns >= 0).all() and in_order.all()


@needs_package
@each_log
def test_what_cannot_be_known_is_said(log: Path) -> None:
    summary, trace = read(log)
    assert any("Counters have no order" in text for text in summary.head.cannot_tell)
    dxt = any("DXT records reads and writes only" in text for text in summary.head.cannot_tell)
    assert dxt == bool(trace.records)
    assert all(row.smallest is None and not row.common for row in summary.transfers)


@needs_package
def test_broken_logs_are_refused_or_read_and_never_end_python(tmp_path: Path) -> None:
    if not logs():
        pytest.skip("there are no Darshan logs: set WEIR_TEST_DARSHAN")
    whole = min(logs(), key=lambda path: path.stat().st_size).read_bytes()
    broken, random = tmp_path / "broken", np.random.default_rng(11)
    broken.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeirError, match="damaged Darshan log"):
        open_trace(broken)
    for _ in range(4):
        data = bytearray(whole)
        for at in random.integers(16, len(whole), 4):
            data[at] = random.integers(0, 256)
        broken.write_bytes(data)
        try:
            assert open_trace(broken).ranks is not None
        except WeirError as error:
            assert error.exit_code == 2


def test_logs_are_told_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    for head in (HEAD, HEAD[:8] + HEAD[:7:-1]):  # the number also in the other order of bytes
        path.write_bytes(head)
        assert importer_of(path) is not None
    for other in (b"", b"\x89HDF\r\n\x1a\n", b"3.41", b"text " * 200):
        path.write_bytes(other)
        assert importer_of(path) is None
        with pytest.raises(WeirError, match=r"no packed trace, and not a Darshan log"):
            open_trace(path)


def test_without_the_package_its_installation_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_bytes(HEAD)
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "darshan" else found(name, *more)
    )
    with pytest.raises(WeirError, match=re.escape(how_to_install("darshan"))):
        open_trace(path)


def test_the_verb_refuses_a_broken_log_with_one_line_and_exit_code_2(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(HEAD + bytes(300))
    done = weir("explain", path, status=2)
    assert len(done.stderr.splitlines()) == 1
    assert "Darshan log" in done.stderr
