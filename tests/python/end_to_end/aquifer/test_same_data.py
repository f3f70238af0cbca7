"""The aquifer's outputs are the same bytes whatever ranks, groups, method and back-end made them."""

import random
from pathlib import Path

import pytest

from random_cases import TIMES

from ..real_core import Done, run_core
from .outputs import assert_same, by_time, files_in, pattern_of, plain_files_in

SHAPES = {"1x1x1": 1, "7x5x3": 4, "1x13x1": 3, "12x10x8": 4, "17x1x4": 4, "2x3x4": 4}
"""Cells, and the most ranks that are tried with them."""
ANALYTIC = ("--model", "analytic", "--wait", "0")


def aquifer(folder: str, *arguments: str, ranks: int = 1) -> Done:
    """Run it, its files in this new folder."""
    Path(folder).mkdir()
    return run_core("aquifer", "--dir", folder, *arguments, ranks=ranks).ended(0)


def content(rng: random.Random, cells: str) -> list[str]:
    """Options that determine what is in the files."""
    return [
        *("--cells", cells, "--steps", str(rng.choice([0, 1, 2]))),
        *("--seed", str(rng.randrange(1000)), "--species", str(rng.choice([1, 1, 3]))),
        *("--edges", rng.choice(["10x10x1", "3x7x0.5"]), "--step-days", rng.choice(["1", "0.25"])),
        rng.choice(["--velocities", "--no-velocities"]),
        rng.choice(["--permuted", "--no-permuted"]),
        *("--files", rng.choice(["one", "per-step"])),
    ]


def way(rng: random.Random, ranks: int) -> list[str]:
    """Options that determine only how they get there."""
    sizes = [*map(str, range(1, ranks + 1)), "auto"]
    groups = ["--read-group", rng.choice(sizes), "--write-group", rng.choice(sizes)]
    return [
        *rng.choice([groups, groups, ["--group-by", "node"]]),
        *("--group-requests", rng.choice(["member", "combined"])),
        *("--method", rng.choice(["auto", "independent"])),
        *("--read-buffer", rng.choice(["2", "7", "50", "1000000"])),
        *(["--chunk-rows", "2"] if rng.random() < 0.2 else []),
    ]


@pytest.mark.random
@pytest.mark.parametrize("seed", range(6 * TIMES))
def test_analytic_states_depend_on_nothing_but_the_problem(place: Path, seed: int) -> None:
    rng = random.Random(seed)
    cells = rng.choice([*SHAPES])
    ranks = rng.choice([1, SHAPES[cells]])
    problem, how = (*content(rng, cells), *ANALYTIC), way(rng, ranks)
    aquifer("alone", *problem)
    aquifer("grouped", *problem, *how, ranks=ranks)
    assert_same(files_in(Path("grouped")), files_in(Path("alone")))


@pytest.mark.random
@pytest.mark.parametrize("seed", range(TIMES))
def test_a_flow_depends_on_ranks_alone(place: Path, seed: int) -> None:
    rng = random.Random(f"flow {seed}")
    cells = rng.choice(["7x5x3", "12x10x8"])
    problem = (*content(rng, cells), "--model", "flow")
    Path("tried").mkdir()
    tried = run_core("aquifer", "--dir", "tried", "--cells", "2x1x1", "--steps", "1", "--model", "flow")
    if tried.code != 0:
        pytest.skip("this build has no flow")
    aquifer("each", *problem, ranks=2)
    aquifer("grouped", *problem, *way(rng, 2), ranks=2)
    assert_same(files_in(Path("grouped")), files_in(Path("each")))


def test_files_of_each_time_and_one_for_all_say_the_same(place: Path) -> None:
    problem = ("--cells", "7x5x3", "--steps", "2", *ANALYTIC)
    aquifer("many", *problem)
    aquifer("one", *problem, "--files", "one", "--write-group", "2", ranks=2)
    assert sorted(files_in(Path("one"))) == ["aquifer-input.h5", "aquifer.h5"]
    assert sorted(files_in(Path("many")))[:3] == [f"aquifer-00{number}.h5" for number in range(3)]
    assert_same(by_time(files_in(Path("one"))), by_time(files_in(Path("many"))))


@pytest.mark.parametrize("backend", ["posix", "mpiio"])
def test_plain_bytes_lie_where_the_pattern_says(place: Path, backend: str) -> None:
    problem = ("--cells", "7x5x3", "--steps", "1", "--permuted", *ANALYTIC)
    how = ("--backend", backend, "--read-group", "2", "--write-group", "3", "--read-buffer", "40")
    aquifer("hdf5", *problem)
    aquifer("plain", *problem, *how, ranks=4)
    found = plain_files_in(Path("plain"), pattern_of(*problem, *how, ranks=4))
    assert_same(found, files_in(Path("hdf5")))


@pytest.mark.parametrize("method", ["independent", "rank0"])
def test_the_two_phase_library_takes_its_methods(place: Path, method: str) -> None:
    aquifer("out", "--cells", "7x5x3", "--steps", "1", *ANALYTIC, "--backend", "twophase", "--method", method)
