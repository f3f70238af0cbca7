"""A pair of ranks whose messages a preloaded library delays is found and named, and nothing else is."""

import subprocess
from pathlib import Path

import pytest

from link_samples import rows_of
from weir.figures.figure import Finding
from weir.questions.links import judge_links

from ..conftest import ROOT, need_real_programs
from ..real_core import Done, run_core

SOURCE = ROOT / "tests" / "support" / "mpi" / "slow_link.c"
SHORT = ("--latency-calls", "4", "--bandwidth-calls", "1", "--bandwidth-bytes", "64KiB", "--passes", "5")
DELAY_US = 5000
"""Far beyond what four ranks on few cores wait for each other in most passes."""


def delaying_library(place: Path) -> str:
    """The library, compiled there. Skips where mpicc cannot."""
    library = place / "slow_link.so"
    try:
        command = ["mpicc", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"mpicc cannot make a shared library here: {error}")
    return str(library)


def finding(done: Done) -> Finding:
    """What is said about the links of the run."""
    lines = [{**line, "case": "a"} for line in done.ended(0).of("sample")]
    found = judge_links(rows_of("links", 4, lines), {})
    assert found is not None
    return found


def test_a_delayed_pair_is_named(tmp_path: Path) -> None:
    need_real_programs()
    slow = {"LD_PRELOAD": delaying_library(tmp_path), "WEIR_SLOW_LINK": f"1 3 {DELAY_US}"}
    found = finding(run_core("links", *SHORT, "--repetitions", "6", ranks=4, cwd=tmp_path, **slow))
    assert found.title.startswith("1 link is slow, rank 1 to rank 3, "), found.title
    # By latency, by bandwidth, or by both: which of them is sure depends on how busy the machine is.
    assert {said.split(",")[0] for said in found.sentences if said.startswith("Slow")} == {
        "Slow link: rank 1 to rank 3"
    }
