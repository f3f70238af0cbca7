"""Sizes and rules that follow from a machine's memory, on one that has as much as its /proc/meminfo says."""

import re
from pathlib import Path

import pytest

from ..real_core import MIB, Done, run_core_after


def run_on(total_mib: int, free_mib: int, *arguments: str) -> Done:
    """Runs weir-core where so much memory is, and so much of it free; skips where that cannot be feigned."""
    text = f"MemTotal: {total_mib * 1024} kB\nMemAvailable: {free_mib * 1024} kB\n"
    Path("meminfo").write_text(text)
    return run_core_after("mount --bind meminfo /proc/meminfo", *arguments)


def test_sizes_follow_from_what_is_free(place: Path) -> None:
    (copy,) = run_on(1000, 30, "stream", "--times=2").ended(0).samples("copy")
    assert copy["size"] == 30 * MIB * 8 // 10 // 24
    refused = run_on(1000, 30, "stream", f"--size={40 * MIB // 24}").ended(3)
    told = re.search(r"--size (\d+) fits", refused.talk)
    assert told, refused.talk
    # A sixth is left to programs and libraries, and a fiftieth to what is taken meanwhile.
    assert int(told[1]) == pytest.approx(30 * MIB * 5 / 6 * 49 / 50 / 24, abs=2)
    run_on(1000, 30, "stream", f"--size={told[1]}", "--times=2").ended(0)


@pytest.mark.parametrize(("order", "conforming"), [(972, False), (1028, True)])
def test_hpl_conforms_from_half_of_all_memory_on(place: Path, order: int, conforming: bool) -> None:
    (system,) = run_on(16, 1000, "hpl", f"--size={order}", "--block=64").ended(0).samples("hpl")
    assert system["memory"]["share"] == pytest.approx(8 * order**2 / (16 * MIB))
    assert system["memory"]["conforming"] is conforming


@pytest.mark.parametrize("benchmark", ["hpl", "dgemm"])
def test_a_size_that_fits_into_little_address_space_runs(place: Path, benchmark: str) -> None:
    """OpenBLAS takes 128 MiB for its buffers, and where it gets none, it tries for ever."""
    refused = run_core_after("ulimit -v 500000", benchmark, "--size=20000").ended(3)
    told = re.search(r"--size (\d+) fits", refused.talk)
    assert told, refused.talk
    run_core_after("ulimit -v 500000", benchmark, f"--size={told[1]}").ended(0)
    none = run_core_after("ulimit -v 300000", benchmark, "--size=100").ended(3)
    assert "has no room for its buffers" in none.talk
