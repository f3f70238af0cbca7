"""A pair of ranks whose messages a preloaded library delays is found and named, and nothing else is."""

import subprocess
from pathlib import Path

import pytest

from link_samples import rows_of
from weir.answers.answer import Count
from weir.network.links import matrix_of
from weir.network.questions.links import judge_links
from weir.results.row import Row

from ..conftest import ROOT, need_real_programs
from ..real_core import Done, run_core

SOURCE = ROOT / "tests" / "support" / "mpi" / "slow_link.c"
SHORT = ("--latency-calls", "4", "--bandwidth-calls", "1", "--bandwidth-bytes", "64KiB", "--passes", "5")
DELAY_US = 5000
"""Far beyond what four ranks on few cores wait for each other in most passes."""
LAUNCHES = 6
"""At most. Where other programs keep the cores busy, other pairs may take as long, and nothing is named."""


def delaying_library(place: Path) -> str:
    """The library, compiled there. Skips where mpicc cannot."""
    library = place / "slow_link.so"
    try:
        command = ["mpicc", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"mpicc cannot make a shared library here: {error}")
    return str(library)


def links(done: Done) -> list[Row]:
    """What the run measured of the links: a row a phase."""
    return rows_of("links", 4, [{**line, "case": "a"} for line in done.ended(0).of("sample")])


def names_the_delayed_pair(rows: list[Row]) -> bool:
    """Whether it is called slow by latency, by bandwidth, or by both. Others never are."""
    found = judge_links(rows, {})
    assert found is not None
    named = {one.subject[1] for one in found.numbers if one.remark.startswith("slow ")}
    assert named <= {"rank 1 to rank 3"}, found
    counts = [one.value.count for one in found.answers if isinstance(one.value, Count)]
    assert counts and max(counts) == len(named), found
    return bool(named)


def test_a_delayed_pair_is_named(tmp_path: Path) -> None:
    need_real_programs()
    slow = {"LD_PRELOAD": delaying_library(tmp_path), "WEIR_SLOW_LINK": f"1 3 {DELAY_US}"}
    for _ in range(LAUNCHES):
        rows = links(run_core("links", *SHORT, "--repetitions", "6", ranks=4, cwd=tmp_path, **slow))
        latency = matrix_of(next(row for row in rows if row.phase == "latency").records)
        assert latency is not None
        # Both ways of a round trip are delayed, whatever else the machine does.
        assert all(sample[1, 3] >= DELAY_US * 1e-6 for sample in latency.samples)
        if names_the_delayed_pair(rows):
            return
    pytest.fail(f"the pair is slow in each of {LAUNCHES} launches, and in none is it named")
