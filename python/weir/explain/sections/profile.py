"""The profile by phase: what ranks did in each phase that the program marked."""

from collections.abc import Iterator

from weir.explain.page.profile_bars import profile_bars
from weir.explain.profile.parts import MPI_FOR_IO, OPENS
from weir.explain.profile.rows import PhaseRow, Profile
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import TraceSummary
from weir.units import count_words, format_seconds, format_share

HEADINGS = ("phase", "time in", ">share", ">minimum", ">mean", ">maximum")
ALL = "all of it"
LEAST_SHOWN = 0.001


@page_section(15)
def section(summary: TraceSummary) -> PageSection | None:
    """All phases: a bar each, and a line for each of its parts."""
    profile = summary.profile
    if not profile.phases:
        return None
    rows = [cells for phase in profile.phases for cells in phase_cells(profile, phase)]
    return PageSection(
        "profile",
        "Profile by phase" if profile.marked else "Profile",
        " ".join(_words(summary)),
        profile_bars(profile, list(profile.phases)),
        PageTable(HEADINGS, rows),
    )


def phase_cells(profile: Profile, phase: PhaseRow) -> Iterator[list[str]]:
    """The lines of a phase: first all of it, then its parts."""
    whole = "100 %" if phase.parts else ""
    name = profile.title_of(phase)
    if phase.ranks < profile.ranks:
        name += f" ({phase.ranks:,} of {profile.ranks:,})"
    yield [name, ALL, whole, *map(format_seconds, (phase.min_s, phase.mean_s, phase.max_s))]
    for part in phase.parts:
        share = "" if part.share is None else share_words(part.share)
        yield ["", part.name, share, *map(format_seconds, (part.min_s, part.mean_s, part.max_s))]


def _words(summary: TraceSummary) -> Iterator[str]:
    profile, head = summary.profile, summary.head
    kinds = {part.kind for phase in profile.phases for part in phase.parts}
    yield "A call counts with its own time, without recorded calls inside it; computing is time in no call."
    over = f"over {who(summary)}" if profile.ranks > 1 else f"those of the one {head.one}"
    whole = "a phase's time" if profile.marked else f"the time of {head.all}"
    yield f"Shares are those of {whole}; minimum, mean and maximum are {over}. Beside a bar stands the mean."
    if profile.marked:
        yield "A phase is without the phases inside it."
    else:
        yield "The program marked no phases, so that all of it is one."
    if MPI_FOR_IO in kinds:
        yield "“For I/O” are calls of MPI that a library made inside its I/O calls."
    if OPENS in kinds:
        yield "Opens are of files and datasets, through all interfaces."
    if profile.threads:
        yield f"Threads and processes of a {head.one} are added up."
    if head.calls_lost:
        yield "Calls that were only counted are part of computing."


def share_words(share: float) -> str:
    """Less than a thousandth is said to be that: how much less matters to nobody."""
    return format_share(share) if share >= LEAST_SHOWN else "< 0.1 %"


def who(summary: TraceSummary) -> str:
    """Over what minimum, mean and maximum are taken: "8 ranks"."""
    one, many = ("rank", "ranks") if summary.head.ranked else ("process", "processes")
    return count_words(summary.profile.ranks, one, many)
