"""The shape of a study file. What each key means, its default, and an example of it are declared here,
once."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from weir.toml.names import NAME


class StudySection(msgspec.Struct, forbid_unknown_fields=True):
    """`[study]`: what holds for the study as a whole."""

    name: Annotated[str, Meta(pattern=NAME, examples=['"transfer-size"'])]
    title: Annotated[str, Meta(examples=['"How large must a request be?"'])] = ""
    source: Annotated[str, Meta(examples=['"H. Shan and J. Shalf, Using IOR to Analyze …, 2007"'])] = ""
    budget: Annotated[str, Meta(examples=['"5m"'])] = "5m"
    precision: Annotated[str, Meta(examples=['"5%"'])] = "5%"
    max_samples: Annotated[int, Meta(ge=1, examples=["30"])] = 30
    min_samples: Annotated[int, Meta(ge=1, examples=["6"])] = 6
    fresh: Annotated[bool, Meta(examples=["true"])] = False
    """Whether each sample is of a launch of its own, as a program's are."""
    probe_state: Annotated[bool, Meta(examples=["false"])] = True
    """Whether samples are told apart by the state that the machine was in."""
    figure: Annotated[str | None, Meta(examples=['"machine"'])] = None
    """Of all its cases: what it finds is the report's first screen, and what it draws the picture there."""
    per_node: Annotated[bool, Meta(examples=["true"])] = False
    """Whether each case is run on each node by itself."""


class PartSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[part]]`: comparisons that have a share of the study's time together."""

    name: Annotated[str, Meta(pattern=NAME, examples=['"memory"'])]
    share: Annotated[str, Meta(examples=['"25%"'])]
    """Of the time, beside the shares of the parts that are measured: they need not add up to 100 %."""
    title: Annotated[str, Meta(examples=['"Memory"'])] = ""


class ClaimSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison.claim]]`: what was found on another machine, and how to decide whether it holds here."""

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


class MarkSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison.mark]]`: points that others printed of such cases, for the comparison's figures."""

    machine: Annotated[str, Meta(examples=['"Columbia"'])]
    source: Annotated[str, Meta(examples=['"figure 9"'])]
    columns: Annotated[list[str], Meta(examples=['["phase", "ranks", "mb_per_s"]'])]
    rows: Annotated[list[list[str | int | float]], Meta(examples=['[["checkpoint", 16, 152]]'])]


class ComparisonSection(msgspec.Struct, forbid_unknown_fields=True):
    """`[[comparison]]`: cases that are run interleaved and shown against each other."""

    name: Annotated[str, Meta(pattern=NAME, examples=['"transfer"'])]
    title: Annotated[str, Meta(examples=['"Bandwidth against transfer size"'])] = ""
    optional: Annotated[bool, Meta(examples=["true"])] = False
    """Run only if the command line asks for it."""
    figure: Annotated[str | list[str] | None, Meta(examples=['"transfer"'])] = None
    table: Annotated[str | list[str] | None, Meta(examples=['"calls"'])] = None
    fixed: Annotated[dict[str, Any], Meta(examples=['{ backend = "posix" }'])] = {}
    axes: Annotated[dict[str, Any], Meta(examples=['{ transfer = ["64KiB", "1MiB"] }'])] = {}
    together: Annotated[list[str], Meta(examples=['["read_group", "write_group"]'])] = []
    """Axes of the same length that take their first values together, then their second ones, and so on."""
    claim: Annotated[list[ClaimSection], Meta(examples=['[[comparison.claim]]\nmachine = "Bassi"'])] = []
    printed: Annotated[
        list[PrintedSection], Meta(examples=['[[comparison.printed]]\nmachine = "IBM SP"'])
    ] = []
    mark: Annotated[list[MarkSection], Meta(examples=['[[comparison.mark]]\nmachine = "Columbia"'])] = []
    part: Annotated[str, Meta(examples=['"memory"'])] = ""
    """The name of the `[[part]]` that it belongs to."""
    if_too_large: Annotated[Literal["refuse", "leave out"], Meta(examples=['"leave out"'])] = "refuse"
    """What is done where memory or storage does not suffice for a case."""
    if_crowded: Annotated[Literal["run", "leave out"], Meta(examples=['"leave out"'])] = "run"
    """What is done with a case that has more ranks than this machine has cores."""
    nodes_from: Annotated[int, Meta(ge=1, examples=["2"])] = 1
    """It is there only in jobs of so many nodes or more."""

    def joined_axes(self) -> list[list[str]]:
        """The names of the axes in the order of the file; those that go together are one, at its first."""
        joined = [key for key in self.axes if key in self.together]
        return [joined if key in joined else [key] for key in self.axes if key not in joined[1:]]


class StudyFile(msgspec.Struct, forbid_unknown_fields=True):
    """A whole study file."""

    study: Annotated[StudySection, Meta(examples=['[study]\nname = "transfer-size"'])]
    fixed: Annotated[dict[str, Any], Meta(examples=['[fixed]\nbenchmark = "storage"'])] = {}
    part: Annotated[list[PartSection], Meta(examples=['[[part]]\nname = "memory"\nshare = "25%"'])] = []
    comparison: Annotated[list[ComparisonSection], Meta(examples=['[[comparison]]\nname = "transfer"'])] = []


EXTREMES = ("smallest", "largest")
"""What a claim may write in place of a value: the least or the greatest of those that were measured."""
METRIC = "metric"
"""The key by which a claim speaks of another number of the samples than their result."""
QUANTITY = "quantity"
"""The key by which a claim about an application's I/O names a number."""


def names_asked(asked: str | list[str] | None) -> list[str]:
    """The figures or tables that a comparison asks for: one, several or none."""
    return [asked] if isinstance(asked, str) else list(asked or [])
