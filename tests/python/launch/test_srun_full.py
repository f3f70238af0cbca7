"""A step that fills its job."""

from weir.launch.base import LaunchSpec
from weir.launch.srun import Job, Srun


def test_as_many_ranks_as_processors_have_a_core_each() -> None:
    command = Srun(Job("srun", 4, "pmix")).command(LaunchSpec(4), ("weir-core", "case.json"))
    assert "--cpu-bind=cores" in command.argv and "--overcommit" not in command.argv
    assert command.env == {}
