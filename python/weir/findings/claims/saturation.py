"""How bandwidth goes along an axis: whether more ranks, or larger requests, bring more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from weir.analyse.saturation import TOLERANCE
from weir.findings.claims.claim import Decision, Rule, Verdict, rule
from weir.findings.claims.selection import select
from weir.findings.finding import main_curve
from weir.findings.option import option_words, value_of
from weir.findings.quantity import measured_words
from weir.findings.row import Row, median_of
from weir.findings.saturation import POINTS_NEEDED, RowSaturation, find_saturation

SHARE = f"{100 * TOLERANCE:g} %"


@rule("saturation")
class SaturationRule(Rule, frozen=True, kw_only=True):
    """`shape` "saturates": the best is reached before the end of the axis; "falls": beyond the best it
    becomes worse again. `where` chooses the rows, of one phase."""

    along: str
    shape: Literal["saturates", "falls"]
    where: dict[str, Any]

    def words(self) -> str:
        """The tolerance, and what is done with the intervals."""
        if self.shape == "saturates":
            return (
                f"holds where a smaller value comes within {SHARE} of the best, does not hold where only the "
                "greatest does; cannot be told where noise could move that point"
            )
        return (
            f"holds where beyond the best a whole interval lies more than {SHARE} below it, does not hold "
            "where all beyond it stay above that"
        )

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """The curve's saturation, and whether noise leaves it in doubt."""
        chosen = select(rows, self.where)
        curve = main_curve(chosen, self.along, chosen[0].direction) if chosen else []
        found = find_saturation(curve, self._x)
        if found is None:
            return Decision(
                Verdict.CANNOT_BE_TOLD,
                f"because it takes {POINTS_NEEDED} points, and {len(curve)} were measured",
            )
        if self.shape == "saturates":
            return self._saturates(found)
        return self._falls(found, sorted(curve, key=self._x))

    def _x(self, row: Row) -> float:
        return float(value_of(row, self.along))

    def _at(self, row: Row) -> str:
        return f"{measured_words(row)} with {option_words(row, self.along)}"

    def _saturates(self, found: RowSaturation) -> Decision:
        said = f"the best is {self._at(found.best)}"
        if found.at is not found.best:
            said = f"within {SHARE} of the best from {self._at(found.at)} on; {said}"
        if found.still_rising:
            said = f"the best is the last, {self._at(found.best)}"
        if not found.settled:
            return Decision(Verdict.CANNOT_BE_TOLD, f"because noise could move the point: {said}")
        return Decision(Verdict.DOES_NOT_HOLD if found.still_rising else Verdict.HOLDS, said)

    def _falls(self, found: RowSaturation, curve: list[Row]) -> Decision:
        best = f"the best is {self._at(found.best)}"
        if found.falls_to is not None:
            return Decision(Verdict.HOLDS, f"{best}, and beyond it {self._at(found.falls_to)}")
        beyond = [row for row in curve if self._x(row) > self._x(found.best)]
        if not beyond:
            return Decision(
                Verdict.CANNOT_BE_TOLD,
                f"because nothing beyond the best was measured: {self._at(found.best)}",
            )
        enough = (1 - TOLERANCE) * median_of(found.best)
        if all(row.low is not None and row.low >= enough for row in beyond):
            return Decision(Verdict.DOES_NOT_HOLD, f"{best}, and beyond it still {self._at(beyond[-1])}")
        return Decision(
            Verdict.CANNOT_BE_TOLD, f"because of noise: {best}, and beyond it {self._at(beyond[-1])}"
        )
