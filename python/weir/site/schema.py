"""The shape of a site's configuration file. What each key means, and an example of it, are declared here,
once. Empty text takes away what another file sets."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

JobSystem = Literal["slurm", "pbs", "lsf", "flux"]
FailOn = Literal["worse", "never"]


class JobSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[job]`: how jobs are handed to the batch system."""

    system: Annotated[JobSystem | None, Meta(examples=['"slurm"'])] = None
    account: Annotated[str | None, Meta(examples=['"phys01"'])] = None
    partition: Annotated[str | None, Meta(examples=['"standard"'])] = None
    longest: Annotated[str | None, Meta(examples=['"12h"'])] = None
    """The longest time of a job."""
    modules: Annotated[list[str] | None, Meta(examples=['["openmpi/4.1"]'])] = None
    """To load in a job, in that order."""
    setup: Annotated[list[str] | None, Meta(examples=['["ulimit -s unlimited"]'])] = None
    """Lines of a job's script, behind the modules."""
    options: Annotated[list[str] | None, Meta(examples=['["--constraint=haswell"]'])] = None
    """Handed to the batch system as they are."""


class DirectoriesSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[directories]`: absolute paths, in which $USER, $HOME and other variables hold."""

    runs: Annotated[str | None, Meta(examples=['"$HOME/weir-runs"'])] = None
    """Where new runs go in place of `runs` in the current directory."""
    scratch: Annotated[str | None, Meta(examples=['"/scratch/$USER"'])] = None
    """The storage that is measured where no --dir says another."""


class ThresholdsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[thresholds]`: defaults of `weir compare` and `weir history`."""

    matters: Annotated[str | None, Meta(examples=['"10%"'])] = None
    assume: Annotated[str | None, Meta(examples=['"5%"'])] = None
    fail_on: Annotated[FailOn | None, Meta(examples=['"worse"'])] = None


class SiteFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole configuration file."""

    launcher: Annotated[str | None, Meta(examples=['"srun"'])] = None
    job: Annotated[JobSection, Meta(examples=['[job]\naccount = "phys01"'])] = JobSection()
    directories: Annotated[
        DirectoriesSection, Meta(examples=['[directories]\nscratch = "/scratch/$USER"'])
    ] = DirectoriesSection()
    thresholds: Annotated[ThresholdsSection, Meta(examples=['[thresholds]\nmatters = "10%"'])] = (
        ThresholdsSection()
    )
    launchers: Annotated[dict[str, dict[str, Any]], Meta(examples=["[launchers.ours]"])] = {}
    """Launchers of the site's own, by name."""
