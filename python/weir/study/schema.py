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


class PrintedSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison.printed]]`: a table that others printed of the same case on their machine."""

    machine: Annotated[str, Meta(examples=['"IBM SP"'])]
    source: Annotated[str, Meta(examples=['"table 1"'])]
    table: Annotated[str, Meta(examples=['"calls"'])]
    columns: Annotated[list[str], Meta(examples=['["operation", "count", "total_s", "average_s"]'])]
    rows: Annotated[list[list[str | int | float]], Meta(examples=['[["open", 200, 31.35, 3.919]]'])]
    notes: Annotated[list[str], Meta(examples=['["close: 1.693 s / 8 is 0.212 s; 0.217 s is printed"]'])] = []
    """What to know of its numbers."""


class ComparisonSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison]]`: cases that are run interleaved and shown against each other."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", examples=['"transfer"'])]
    title: Annotated[str, Meta(examples=['"Bandwidth against transfer size"'])] = ""
    optional: Annotated[bool, Meta(examples=["true"])] = False
    """Run only if the command line asks for it."""
    figure: Annotated[str | list[str] | None, Meta(examples=['"transfer"'])] = None
    table: Annotated[str | list[str] | None, Meta(examples=['"calls"'])] = None
    fixed: Annotated[dict[str, Any], Meta(examples=['{ backend = "posix" }'])] = {}
    axes: Annotated[dict[str, Any], Meta(examples=['{ transfer = ["64KiB", "1MiB"] }'])] = {}
    claim: Annotated[list[ClaimSection], Meta(examples=['[[comparison.claim]]\nmachine = "Bassi"'])] = []
    printed: Annotated[
        list[PrintedSection], Meta(examples=['[[comparison.printed]]\nmachine = "IBM SP"'])
    ] = []


class StudyFile(msgspec.Struct, forbid_unknown_fields=True):
    """A whole study file."""

    study: Annotated[StudySection, Meta(examples=['[study]\nname = "transfer-size"'])]
    fixed: Annotated[dict[str, Any], Meta(examples=['[fixed]\nbenchmark = "storage"'])] = {}
    comparison: Annotated[list[ComparisonSection], Meta(examples=['[[comparison]]\nname = "transfer"'])] = []


EXTREMES = ("smallest", "largest")
"""What a claim may write in place of a value: the least or the greatest of those that were measured."""
QUANTITY = "quantity"
"""The key by which a claim about an application's I/O names a number."""


def names_asked(asked: str | list[str] | None) -> list[str]:
    """The figures or tables that a comparison asks for: one, several or none."""
    return [asked] if isinstance(asked, str) else list(asked or [])
