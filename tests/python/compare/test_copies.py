"""Runs that began together are no copies."""

from pathlib import Path

from synthetic_run import World
from weir.compare.sides import side_of

from .runs import run


def test_other_samples_of_the_same_time_are_another_run(tmp_path: Path) -> None:
    for seed in (1, 2):
        run(tmp_path / str(seed), World(seed=seed))
    assert len(side_of(tmp_path).runs) == 2
