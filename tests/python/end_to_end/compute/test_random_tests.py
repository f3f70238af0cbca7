"""Random small tests of the HPC Challenge on one to four ranks: HPL's solution is NumPy's, and what each says
of its work, its rates and its check fits together."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases

from ..conftest import need_real_programs
from ..real_core import Line, run_core

RANKS = st.integers(1, 4)
SIZES = st.sampled_from([1, 2, 3, 7, 31, 64, 97, 150, 211])
SCOPES = st.sampled_from(["global", "star", "single"])
SHARING = st.sampled_from(["star", "single"])
STREAM_BYTES = {"copy": 16, "scale": 16, "add": 24, "triad": 24}
ROUTES = ["1ring", "1ringM", "2ring", "2ringM", "long", "longM"]


@pytest.fixture(scope="module", autouse=True)
def _programs() -> None:
    need_real_programs()


def samples(benchmark: str, ranks: int, **options: Any) -> list[Line]:
    """Of two repetitions, which are right by the test's own check."""
    words = [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    done = run_core(benchmark, "--repetitions=2", *words, ranks=ranks, OPENBLAS_NUM_THREADS="1").ended(0)
    phases = {line["phase"] for line in done.of("sample")}
    found = [one for phase in phases for one in done.samples(phase)]
    assert {one["ranks"] for one in found} == {ranks}
    return found


def grids(ranks: int) -> list[int]:
    """Rows that a grid of so many ranks can have, and 0."""
    return [0, *(rows for rows in range(1, ranks + 1) if ranks % rows == 0)]


def mixed(x: np.ndarray) -> np.ndarray:
    """SplitMix64's finaliser."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def hpl_numbers(order: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Its matrix and right side: numbers in [-0.5, 0.5) of places, by columns, from the generator that
    SplitMix64 splits off for the seed, with a start and an odd step of its own."""
    start = mixed(mixed(np.array([seed], dtype=np.uint64)))
    step = mixed(start) | np.uint64(1)
    if int(step[0] ^ (step[0] >> np.uint64(1))).bit_count() < 24:
        step ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    with np.errstate(over="ignore"):
        x = mixed(start + np.arange(order * (order + 1), dtype=np.uint64) * step)
    numbers = ((x >> np.uint64(11)) * 2.0**-53 - 0.5).reshape(order + 1, order).T
    return numbers[:, :-1], numbers[:, -1]


@given(st.data(), RANKS, SIZES, st.integers(1, 1000))
@random_cases(8)
def test_hpl_solves_what_numpy_solves(data: st.DataObject, ranks: int, order: int, seed: int) -> None:
    options = {
        "block": data.draw(st.sampled_from([1, 7, 32, 192]).map(lambda block: min(block, order))),
        "grid_rows": data.draw(st.sampled_from(grids(ranks))),
        "look_ahead": data.draw(st.integers(0, 3)),
        "route": data.draw(st.sampled_from(ROUTES)),
        "swap": data.draw(st.sampled_from(["binary-exchange", "spread-roll", "mix"])),
    }
    matrix, right_side = hpl_numbers(order, seed)
    solution = np.linalg.solve(matrix, right_side)
    bound = 1e-13 * np.linalg.cond(matrix)
    for one in samples("hpl", ranks, size=order, seed=seed, **options):
        norms = one["norms"]
        assert norms["matrix_1"] == pytest.approx(np.linalg.norm(matrix, 1), rel=1e-13)
        assert norms["matrix_i"] == pytest.approx(np.linalg.norm(matrix, np.inf), rel=1e-13)
        assert norms["right_side_i"] == pytest.approx(np.abs(right_side).max(), rel=1e-13)
        assert norms["solution_1"] == pytest.approx(np.abs(solution).sum(), rel=bound)
        assert norms["solution_i"] == pytest.approx(np.abs(solution).max(), rel=bound)
        assert one["work"]["flop"] == pytest.approx(2 / 3 * order**3 + 3 / 2 * order**2)
        assert one["flop_per_s"] * one["elapsed_s"] == pytest.approx(one["work"]["flop"], rel=1e-6)


@given(st.data(), RANKS, SIZES)
@random_cases(4)
def test_a_transposition_counts_one_matrix(data: st.DataObject, ranks: int, order: int) -> None:
    rows = data.draw(st.sampled_from(grids(ranks)))
    block = data.draw(st.sampled_from([size for size in (1, 5, 64) if size <= order]))
    for one in samples("ptrans", ranks, size=order, block=block, grid_rows=rows):
        assert one["work"] == {"B": 8 * order**2}
        assert one["bandwidth_bytes_per_s"] * one["elapsed_s"] == pytest.approx(8 * order**2, rel=1e-6)
        assert 0 <= one["scaled_residual"] <= 16


@given(RANKS, SIZES, SHARING, st.sampled_from(["ordinary", "non-temporal"]))
@random_cases(4)
def test_products_and_streams_are_of_each_rank(ranks: int, size: int, sharing: str, stores: str) -> None:
    workers = ranks if sharing == "star" else 1
    streams = samples("stream", ranks, size=size, sharing=sharing, stores=stores, times=3)
    assert {one["phase"] for one in streams} == set(STREAM_BYTES)
    for one in streams:
        slowest = one["least_bandwidth_bytes_per_s"]
        assert slowest <= one["bandwidth_bytes_per_s"] <= one["greatest_bandwidth_bytes_per_s"]
        assert slowest * one["elapsed_s"] == pytest.approx(STREAM_BYTES[one["phase"]] * size, rel=1e-6)
        assert one["working_ranks"] == workers
    for one in samples("dgemm", ranks, size=size, sharing=sharing):
        assert one["least_flop_per_s"] <= one["flop_per_s"] <= one["greatest_flop_per_s"]
        assert one["least_flop_per_s"] * one["elapsed_s"] == pytest.approx(2 * size**3, rel=1e-6)
        assert one["work"] == {"flop": 2 * size**3 * workers}


@given(
    RANKS,
    st.integers(1, 14),
    st.sampled_from(["global", "star", "single"]),
    st.sampled_from(["polynomial", "linear"]),
)
@random_cases(4)
def test_updates_are_all_made(ranks: int, log2_words: int, sharing: str, numbers: str) -> None:
    log2_words = max(log2_words, math.ceil(math.log2(ranks)))
    for one in samples("random-access", ranks, log2_words=log2_words, sharing=sharing, numbers=numbers):
        assert one["updates"] == 4 * 2**log2_words
        assert one["wrong_words"] == 0
        if sharing == "global":
            assert one["updates_per_s"] * one["elapsed_s"] == pytest.approx(one["updates"], rel=1e-6)


@given(RANKS, st.sampled_from([1, 2, 3, 5, 8, 30]), SCOPES)
@random_cases(4)
def test_transforms_are_counted_by_their_length(ranks: int, times: int, sharing: str) -> None:
    size = times * ranks * ranks
    for one in samples("fft", ranks, size=size, sharing=sharing, measured="false"):
        assert 0 <= one["scaled_error"] < 16
        if sharing == "global":
            flop = 5 * size * math.log2(size)
            assert one["flop_per_s"] * one["elapsed_s"] == pytest.approx(flop, rel=1e-6, abs=1e-6)
