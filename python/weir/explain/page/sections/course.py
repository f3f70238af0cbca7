"""How the run went: bandwidth over time, and how busy each rank was."""

from weir.explain.page.pictures.bandwidth import bandwidth
from weir.explain.page.pictures.heat import heat
from weir.explain.page.section import Section
from weir.explain.summary import Summary
from weir.units import format_seconds


def section(summary: Summary) -> Section | None:
    """Two pictures over the same time."""
    course = summary.course
    if course is None or not course.heat:
        return None
    bands = f", each line for {course.ranks_a_band} ranks" if course.ranks_a_band > 1 else ""
    return Section(
        40,
        "course",
        "Bandwidth and busy ranks over time",
        f"In intervals of {format_seconds(course.interval_s)}; a call's bytes are spread evenly over its "
        f"time. Below it, how much of each interval each rank was in I/O calls{bands}.",
        bandwidth(course) + heat(course, [row.rank for row in summary.ranks]),
    )
