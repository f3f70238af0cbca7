"""The weight of calls on the critical path, as several rules need it."""

from weir.explain.summary import TraceSummary


def weight(summary: TraceSummary, seconds: float, on_path_s: float) -> tuple[float | None, str]:
    """The share of the time in I/O calls that these take, over all ranks or on the critical path, whichever
    is more; and the label of that share. None where it is not known."""
    mean = summary.share_of_io(seconds)
    if summary.path and summary.path.io_s > 0:
        share = min(1.0, on_path_s / summary.path.io_s)
        if mean is None or share > mean:
            return share, "share of I/O on the critical path"
    return mean, "share of time in I/O calls"
