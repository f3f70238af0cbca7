"""Requests through views of MPI-IO are the pieces that they really were."""

from pathlib import Path

import pytest

from .view_programs import RANDOM, expanded, recorded, wrong_bytes


@pytest.mark.parametrize(("ranks", "seeds"), [(1, (0, 100)), (2, (200, 220)), (3, (100, 140))])
def test_random_types(tmp_path: Path, ranks: int, seeds: tuple[int, int]) -> None:
    """Through Open MPI alone: ROMIO of MPICH 4.0 loses data of such types, or does not return from them."""
    trace = recorded(tmp_path, RANDOM, ranks, [str(seed) for seed in seeds])
    found, of_ranks = expanded(tmp_path, trace)
    assert found.exact
    assert not wrong_bytes(trace, tmp_path / "store", of_ranks)
