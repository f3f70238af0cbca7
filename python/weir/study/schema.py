"""The shape of a study file. What each key means, its default, and an example of it are declared here,
once."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta


class StudySection(msgspec.Struct, forbid_unknown_fields=True):
    """`[study]`: what holds for the study as a whole."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", examples=['"transfer-size"'])]
    title: Annotated[str, Meta(examples=['"How large must a request be?"'])] = ""
    budget: Annotated[str, Meta(examples=['"5m"'])] = "5m"
    precision: Annotated[str, Meta(examples=['"5%"'])] = "5%"
    max_samples: Annotated[int, Meta(ge=1, examples=["30"])] = 30
    min_samples: Annotated[int, Meta(ge=1, examples=["6"])] = 6


class ComparisonSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison]]`: cases that are run interleaved and shown against each other."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", examples=['"transfer"'])]
    title: Annotated[str, Meta(examples=['"Bandwidth against transfer size"'])] = ""
    figure: Annotated[str | None, Meta(examples=['"transfer"'])] = None
    fixed: Annotated[dict[str, Any], Meta(examples=['{ backend = "posix" }'])] = {}
    axes: Annotated[dict[str, Any], Meta(examples=['{ transfer = ["64KiB", "1MiB"] }'])] = {}


class StudyFile(msgspec.Struct, forbid_unknown_fields=True):
    """A whole study file."""

    study: Annotated[StudySection, Meta(examples=['[study]\nname = "transfer-size"'])]
    fixed: Annotated[dict[str, Any], Meta(examples=['[fixed]\nbenchmark = "storage"'])] = {}
    comparison: Annotated[list[ComparisonSection], Meta(examples=['[[comparison]]\nname = "transfer"'])] = []
