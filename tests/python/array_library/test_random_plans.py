"""Random plans write and read what NumPy says: any distribution, holes, ghosts, options, no elements."""

from pathlib import Path

import pytest

from .launching import launched

CASES = 60


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_random_plans_agree_with_numpy(ranks: int, tmp_path: Path) -> None:
    first = 1000 * ranks
    done = launched(
        "random_plans.py", str(first), str(first + CASES), ranks=ranks, folder=tmp_path, limit_s=120
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert done.stdout.splitlines()[-1] == f"{CASES} cases agree"
    assert list(tmp_path.iterdir()) == []
