"""What is said of a launcher that there is not."""

import pytest

from weir.errors import WeirError
from weir.launch.base import find_launcher


@pytest.mark.parametrize("name", ["slurm", "lsf", "sge"])
def test_a_system_of_jobs_is_no_launcher_but_its_jobs_have_one(name: str) -> None:
    with pytest.raises(
        WeirError, match=rf"no launcher '{name}' .known are alone, aprun, flux.*Use mpirun: in a job"
    ):
        find_launcher(name)


def test_a_misspelt_one_is_told_by_the_nearest_name() -> None:
    with pytest.raises(WeirError, match=r"no launcher 'mpirn'.*Did you mean 'mpirun'"):
        find_launcher("mpirn")
