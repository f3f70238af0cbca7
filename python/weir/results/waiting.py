"""Times that are no computation: an application whose solve only waits."""

from weir.results.row import Row

RUN = "run"
TOTAL_KEY, SOLVE_KEY = "elapsed_s", "solve_s"
WAITING = "its solve time is a fixed waiting time, not a computation"
"""Why the total of a run with an analytic model is no gain."""


def has_analytic_model(row: Row) -> bool:
    """Does its solve only wait? A build without the flow chooses that by itself."""
    return "analytic" in {row.options.get("model"), *(one.details.get("model") for one in row.records)}


def is_waiting(row: Row) -> bool:
    """Is it a total, or a solve, that is no computation?"""
    return row.phase == RUN and row.metric.key in {TOTAL_KEY, SOLVE_KEY} and has_analytic_model(row)
