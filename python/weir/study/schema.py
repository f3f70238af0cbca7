"""The shape of a study file. What each key means, its default, and an example of it are declared here,
once."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta


class StudySection(msgspec.Struct, forbid_unknown_fields=True):
    """`[study]`: what holds for the study as a whole."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", examples=['"transfer-size"'])]
    title: Annotated[str, Meta(examples=['"How large must a request be?"'])] = ""
    source: Annotated[str, Meta(examples=['"H. Shan and J. Shalf, Using IOR to Analyze …, 2007"'])] = ""
    budget: Annotated[str, Meta(examples=['"5m"'])] = "5m"
    precision: Annotated[str, Meta(examples=['"5%"'])] = "5%"
    max_samples: Annotated[int, Meta(ge=1, examples=["30"])] = 30
    min_samples: Annotated[int, Meta(ge=1, examples=["6"])] = 6


class ClaimSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison.claim]]`: what was found on another machine, and how to tell whether it holds here."""

    machine: Annotated[str, Meta(examples=['"Bassi"'])]
    source: Annotated[str, Meta(examples=['"Shan and Shalf 2007, section 5.4, figure 5"'])]
    says: Annotated[str, Meta(examples=['"A shared file is as fast as a file for each process."'])]
    test: Annotated[
        dict[str, Any],
        Meta(
            examples=[
                '{ rule = "ratio", one = { layout = "shared" }, other = { layout = "file-per-process" }, '
                "within = 1.25 }"
            ]
        ),
    ]
    also: Annotated[list[str], Meta(examples=['["file-per-process"]'])] = []
    """Further comparisons whose cases the claim speaks of."""


class ComparisonSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison]]`: cases that are run interleaved and shown against each other."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", examples=['"transfer"'])]
    title: Annotated[str, Meta(examples=['"Bandwidth against transfer size"'])] = ""
    figure: Annotated[str | list[str] | None, Meta(examples=['"transfer"'])] = None
    fixed: Annotated[dict[str, Any], Meta(examples=['{ backend = "posix" }'])] = {}
    axes: Annotated[dict[str, Any], Meta(examples=['{ transfer = ["64KiB", "1MiB"] }'])] = {}
    claim: Annotated[list[ClaimSection], Meta(examples=['[[comparison.claim]]\nmachine = "Bassi"'])] = []


class StudyFile(msgspec.Struct, forbid_unknown_fields=True):
    """A whole study file."""

    study: Annotated[StudySection, Meta(examples=['[study]\nname = "transfer-size"'])]
    fixed: Annotated[dict[str, Any], Meta(examples=['[fixed]\nbenchmark = "storage"'])] = {}
    comparison: Annotated[list[ComparisonSection], Meta(examples=['[[comparison]]\nname = "transfer"'])] = []
