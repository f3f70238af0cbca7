"""Claims about how near a benchmark comes to an application."""

from collections.abc import Mapping
from typing import Any, Literal

from weir.analyse.paired import ratio_of_neighbours
from weir.analyse.statistics import CONFIDENCE, MedianEstimate
from weir.predict.predictions import Prediction, predictions, sums
from weir.questions.claim import BoundedRule, Decision, Verdict, combined, decision, rule
from weir.results.quantity_words import quotient_words
from weir.results.row import Row
from weir.results.words import join_words
from weir.study.patterns import imitation_words
from weir.units import count_words


@rule("prediction")
class PredictionRule(BoundedRule, frozen=True, kw_only=True):
    """Bandwidth that the case `imitation` predicts over the application's own, of all that it moves in one
    direction ("read" or "write"); with `ranks`, of the cases with so many."""

    imitation: str
    direction: Literal["read", "write"]
    ranks: int | None = None

    def words(self) -> str:
        """The bound, and what is done with the interval."""
        with_ranks = "" if self.ranks is None else f" with {count_words(self.ranks, 'rank')}"
        return self.say(
            f"predicted over measured bandwidth of all {self.direction}s, "
            f"by {imitation_words(self.imitation)}"
            f"{with_ranks},"
        )

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """All cases inside the bounds: it holds; one outside: it does not. Their intervals share the 5 %."""
        asked = [one for one in sums(predictions(rows)) if self._asks_for(one)]
        if not asked:
            with_ranks = "" if self.ranks is None else f" with {count_words(self.ranks, 'rank')}"
            by = imitation_words(self.imitation)
            why = f"because no {self.direction}s{with_ranks} were measured and predicted by {by}"
            return Decision(Verdict.CANNOT_BE_TOLD, why)
        found = [(one, ratio) for one in asked if (ratio := _ratio(one, len(asked))) is not None]
        return decision(
            combined([self.judge(ratio.low, ratio.high) for _, ratio in found]),
            join_words(
                f"{count_words(one.row.ranks, 'rank')}: {quotient_words(ratio)}" for one, ratio in found
            ),
            samples="pairs",
            has_interval=all(ratio.low is not None for _, ratio in found),
            open_cases=[side.row.case for one in asked for side in (one.measured, one.predicted)],
        )

    def _asks_for(self, one: Prediction) -> bool:
        wanted = self.ranks is None or one.row.ranks == self.ranks
        return wanted and (one.by, one.direction) == (self.imitation, self.direction)


def _ratio(one: Prediction, count: int) -> MedianEstimate | None:
    """Predicted over measured; the intervals of `count` of them hold together."""
    confidence = 1 - (1 - CONFIDENCE) / count
    return ratio_of_neighbours(one.predicted.by_turn, one.measured.by_turn, confidence)
