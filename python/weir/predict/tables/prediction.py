"""What is predicted of applications beside what was measured, and the errors."""

from collections.abc import Sequence
from typing import Any

from weir.predict.forecast import WHAT_ERRORS_ARE
from weir.predict.predictions import Prediction, percent, phases, predictions, reasons
from weir.results.printed import estimate_data, median_words
from weir.results.row import Row
from weir.tables.table import Column, Table, table_of_all
from weir.units import Shown

CAPTION = f"Medians, in brackets the interval of 95 % of each by itself. Error: {WHAT_ERRORS_ARE}."
MIB = Shown("MiB/s", float(1 << 20))


@table_of_all("prediction", ())
def prediction(rows: Sequence[Row]) -> Table | None:
    """A line for each direction of each phase and kind of imitation; null without pairs."""
    found = predictions(rows)
    if not found:
        return None
    return Table(
        name="prediction",
        title="Predicted and measured",
        caption=CAPTION,
        columns=(
            *map(Column, ("phase", "state", "ranks", "by")),
            *(Column(heading, "bandwidth, MiB/s") for heading in ("measured", "predicted")),
            *map(Column, ("samples", "error", "interval", "pairs")),
        ),
        rows=tuple(map(_line, found)),
        notes=reasons(phases(found)),
        data={"predictions": [_data(one) for one in found]},
    )


def _line(one: Prediction) -> tuple[str, ...]:
    error = one.error
    ends = (
        "none" if error.low is None or error.high is None else f"{percent(error.low)} … {percent(error.high)}"
    )
    return (
        f"{one.phase}, {one.direction}",
        one.measured.state,
        str(one.row.ranks),
        one.by,
        median_words(one.measured.estimate, MIB),
        median_words(one.predicted.estimate, MIB),
        f"{one.measured.estimate.count}, {one.predicted.estimate.count}",
        percent(error.median),
        ends,
        str(error.ratio.count),
    )


def _data(one: Prediction) -> dict[str, Any]:
    return {
        "application": one.name,
        "ranks": one.row.ranks,
        "phase": one.phase,
        "direction": one.direction,
        "state": one.measured.state,
        "by": one.by,
        "measured": estimate_data("bytes_per_s", one.measured.estimate),
        "predicted": estimate_data("bytes_per_s", one.predicted.estimate),
        **one.error.as_data(),
        "cannot_express": list(one.lost),
    }
