"""Which of a machine's cases short time goes to, and what makes its numbers worth less."""

from collections.abc import Iterable, Sequence

from weir.answers.answer import Caveat, Changes
from weir.answers.tables import CAVEATS, declare
from weir.evaluation.curves import most_ranks
from weir.hpcc.rates import hpl_memory
from weir.measure.plan import Plan
from weir.report.headline import Headline, headline, most
from weir.results.row import Row
from weir.study.case import Case
from weir.units import format_share

TESTS = ("stream", "dgemm", "fft", "hpl", "rings")

declare(CAVEATS, {"small-matrix": "HPL's matrix is small, {share} of the memory: larger can be faster"})


@headline(25)
class MachineHeadline(Headline):
    """Its numbers are those of a figure; only its cases are told apart here."""

    def first_cases(self, cases: Sequence[Case], plan: Plan) -> Iterable[str]:
        """Of each test that of the most ranks."""
        for test in TESTS:
            yield from most([case for case in cases if case.benchmark == test], lambda case: case.ranks)

    def caveats(self, rows: list[Row]) -> Iterable[Caveat]:
        """A matrix that fills less of the memory than the rules of the HPC Challenge ask for."""
        row = most_ranks(rows, "hpl", "hpl")
        memory = hpl_memory(row) if row else None
        if memory and not memory.conforming:
            yield Caveat("small-matrix", 1, 1, Changes.VERDICT, {"share": format_share(memory.share)})
