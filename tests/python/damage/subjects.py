"""What is damaged: a valid input of each kind, and the verbs that read it."""

import io
import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from trace.damaged import growing
from trace.importers.test_darshan import logs
from trace.synthetic import rows_of_rank, write_trace
from typing import Any

import pytest

import grouped_samples
import synthetic_run
from cloud.made_dump import sphere, write_scaled, write_state
from fakes import study_text
from hpcc_samples import hpcc_lines, hpcc_rows
from network.made_run import lines as lines_of_messages
from network.made_run import write_run as write_network_run
from reading.made_output import COLLECTIVE, ONE_WAY, Table, output, rated
from toy_machine import TOY
from weir.compare.profile import Profile, as_profile_row, encode
from weir.compare.shipped import shipped_machines
from weir.ratios.derived import derived_rows

from .verbs import weir


@dataclass(frozen=True)
class Subject:
    """`make(folder)` writes the input there; the verbs run in that folder."""

    name: str
    make: Callable[[Path], None]
    verbs: tuple[tuple[str, ...], ...]
    files: str = "*"
    """Which files are damaged, as a pattern under the folder."""


SUBJECTS: list[Subject] = []


def subject(*verbs: str, files: str = "**/*") -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    def enter(make: Callable[[Path], None]) -> Callable[[Path], None]:
        words = tuple(tuple(verb.split()) for verb in verbs)
        SUBJECTS.append(Subject(make.__name__, make, words, files))
        return make

    return enter


@subject(
    "show R",
    "show R --json",
    "report R",
    "export R --format csv --out out",
    "export R --format openmetrics --out out",
    "run study.toml --dir store --out R",
    files="R/*",
)
def run(folder: Path) -> None:
    study(folder)
    assert weir("run", "study.toml", "--dir", "store", "--out", "R") == 0
    shutil.rmtree(folder / "R/logs")


@subject("plan study.toml --dir store", files="study.toml")
def study(folder: Path) -> None:
    (folder / "store").mkdir()
    (folder / "study.toml").write_text(study_text())


@subject("predict pattern.json --on machine.toml --dry-run", files="machine.toml")
def machine(folder: Path) -> None:
    shutil.copy(TOY, folder / "machine.toml")
    (folder / "pattern.json").write_text('{"weir_pattern":1,"ranks":2,"phases":[]}')


TRACE_VERBS = (
    "explain {} --all --no-page",
    "explain {} --page page.html",
    "explain {} --json",
    "pattern {} --out pattern.json",
    "export {} --format csv --out out",
    "export {} --format perfetto --out out",
)


@subject(*(verb.format("T") for verb in TRACE_VERBS), "pack T --out packed", files="T/*")
def trace(folder: Path) -> None:
    written = write_trace(folder / "T", {0: rows_of_rank(0), 1: rows_of_rank(1)})
    (written / "node-100-0.2.records").write_bytes(growing(90))


@subject(
    *(verb.format("T.weirtrace") for verb in TRACE_VERBS), "pack --unpack T.weirtrace --out U", files="T.*"
)
def packed_trace(folder: Path) -> None:
    from weir.trace.pack.write import Times, pack_trace  # noqa: PLC0415

    trace(folder)
    out = io.BytesIO()
    pack_trace(folder / "T", out, Times.EXACT)
    (folder / "T.weirtrace").write_bytes(out.getvalue())
    shutil.rmtree(folder / "T")


@subject("show state", "picture state --out picture.svg", files="state")
def dump_of_a_state(folder: Path) -> None:
    write_state(folder / "state", sphere(8, 6, 5))


@subject("show scaled", "picture scaled --out picture.svg", files="scaled")
def dump_of_a_scaled_field(folder: Path) -> None:
    import numpy as np  # noqa: PLC0415

    write_scaled(folder / "scaled", np.arange(240, dtype=np.uint8).reshape(8, 6, 5))


@subject("show file", "picture file --out picture.svg", files="file")
def file_of_flash(folder: Path) -> None:
    pytest.importorskip("h5py", reason="h5py, which reads HDF5, is not installed")
    from flash.made_file import Recipe, write_file  # noqa: PLC0415

    write_file(folder, Recipe(cells=2), "file")


@subject("show file", files="file")
def file_of_flash_io(folder: Path) -> None:
    pytest.importorskip("h5py", reason="h5py, which reads HDF5, is not installed")
    from flash.made_file import write_flash_io  # noqa: PLC0415

    write_flash_io(folder / "file")


@subject(
    "show file", "picture file --out picture.svg", "export file --format xdmf --out out.xmf", files="file"
)
def file_of_the_aquifer(folder: Path) -> None:
    pytest.importorskip("h5py", reason="h5py, which reads HDF5, is not installed")
    from aquifer.made_file import Recipe, write_file  # noqa: PLC0415

    write_file(folder / "file", Recipe((4, 3, 5)))


@subject("plan study.toml --dir store --calibration kept.json", files="kept.json")
def calibration(folder: Path) -> None:
    study(folder)
    (folder / "kept.json").write_text(
        '{"schema": 1, "kind": "calibration", "verdict": "found", "block": 1048576}'
    )


@subject("predict p.json --parameters --json", "predict p.json --dir . --dry-run", files="p.json")
def pattern(folder: Path) -> None:
    assert weir("workload", "gtc", "--out", str(folder / "p.json")) == 0


@subject("read imb.txt --out R", "read a=imb.txt --out R --json")
def imb_output(folder: Path) -> None:
    rows = rated((0, 8, 4096), (0.5, 0.6, 2.0))
    tables = [Table("PingPong", ONE_WAY, rows, idle=2), Table("Bcast", COLLECTIVE, [(8, 9, 1.0, 2.0, 1.5)])]
    (folder / "imb.txt").write_text(output(*tables))


REPORTS = (
    "show {}",
    "show {} --json",
    "report {}",
    "report {} --json",
    "export {} --format csv --out out",
    "export {} --format openmetrics --out out",
)
"""What reads a run of any study."""


def of_run(verb: str = "") -> tuple[str, ...]:
    return (*(each.format("R") for each in REPORTS), *filter(None, [verb]))


def keep(folder: Path, lines: Iterable[dict[str, Any]], study: str = "") -> None:
    """A run of these lines."""
    write_network_run(folder / "R", list(lines))
    (folder / "R/study.toml").write_text(study or study_text())


@subject(*of_run(), "run study.toml --dir store --out R", files="R/*")
def run_on_a_machine_of_several_states(folder: Path) -> None:
    """Probes before and after each sample, on these CPUs and others."""
    study(folder)
    assert weir("run", "study.toml", "--dir", "store", "--out", "R") == 0
    shutil.rmtree(folder / "R/logs")
    path = folder / "R/samples.jsonl"
    known = [json.loads(line) for line in path.read_text().splitlines()]
    lines = []
    for number, line in enumerate(known):
        fast, probed = number % 3, {"schema": 1, "kind": "state", "probed_at": "2026-11-20T16:40:00.000Z"}
        time = {"max": 45.0 + 60.0 * (fast == 0), "min": 45.0, "nodes": 1}
        lines += [line, {**probed, "handoff_ns": time, "cpus": [0, 1], "launch": line.get("launch", 1)}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@subject(*of_run("network tune R --dry-run"), "network model R", "network model R --json", files="R/*")
def run_of_messages(folder: Path) -> None:
    keep(folder, lines_of_messages())


@subject("network model R --into profile.json", files="profile.json")
def machine_profile(folder: Path) -> None:
    keep(folder, lines_of_messages())
    assert weir("network", "model", str(folder / "R"), "--into", str(folder / "profile.json")) == 0


@subject(*of_run(), files="R/*")
def run_of_hpcc(folder: Path) -> None:
    case = {
        "schema": 1,
        "kind": "case",
        "case": "a",
        "label": "a",
        "benchmark": "hpcc",
        "ranks": 2,
        "env": {},
    }
    keep(folder, [{**case, "options": {}, "comparisons": ["transfer"]}, *hpcc_lines()])


@subject(*of_run(), files="R/*")
def run_of_grouped_requests(folder: Path) -> None:
    grouped_samples.write_run(folder / "R")


@subject(*of_run(), "export R --format parquet --out out", files="R/*")
def run_of_a_large_study(folder: Path) -> None:
    synthetic_run.write_run(folder / "R")


@subject(*of_run(), files="R/*")
def run_that_was_read_from_others(folder: Path) -> None:
    imb_output(folder)
    assert weir("read", str(folder / "imb.txt"), "--out", str(folder / "R")) == 0


@subject("explain log.darshan --no-page", "export log.darshan --format csv --out out", files="log.darshan")
def log_of_darshan(folder: Path) -> None:
    pytest.importorskip("darshan", reason="the package darshan, which reads its logs, is not installed")
    small = [path for path in logs() if path.stat().st_size < 1 << 20]
    if not small:
        pytest.skip("there is no log of Darshan: WEIR_TEST_DARSHAN names a folder with some")
    shutil.copy(small[0], folder / "log.darshan")


@subject(
    "compare --all machines",
    "compare --all machines --json",
    "compare --all nec-sx-8 machines/here.json",
    files="machines/*",
)
def profiles(folder: Path) -> None:
    (folder / "machines").mkdir()
    rows = hpcc_rows()
    lines = tuple(as_profile_row(row) for row in (*rows, *derived_rows(rows, {})))
    one = Profile(name="here", study="hpcc", created_at="2026-11-20", weir_version="0.1.0", rows=lines)
    (folder / "machines" / "here.json").write_bytes(encode(one))
    shutil.copy(shipped_machines()["cray-opteron-cluster"], folder / "machines")
