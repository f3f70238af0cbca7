"""What results of one kind say first: a class under `@headline(PLACE)` in a module `headline` of a room."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from weir.answers.answer import Caveat
from weir.measure.plan import Plan
from weir.registry import Registry
from weir.results.row import Row
from weir.study.case import Case


class Headline:
    """Of the rows and cases that it takes. Those that none takes are shown by what they measure: bandwidths
    of files, then rates, then times. `of_applications`: it takes rows of these, one application at a time."""

    of_applications = False

    def takes(self, row: Row) -> bool:
        """Whether the row is of its kind."""
        return False

    def results(self, rows: list[Row]) -> Mapping[str, Row] | None:
        """The rows to show of those that it takes, by their labels; null where they are to be shown as if it
        took none."""
        return None

    def first_cases(self, cases: Sequence[Case], plan: Plan) -> Iterable[str]:
        """The ids of those that results() will show, as far as that is known before anything is measured:
        short time goes to them first."""
        return ()

    def caveats(self, rows: list[Row]) -> Iterable[Caveat]:
        """What makes numbers worth less, of all rows of a run that have a number."""
        return ()


_headlines = Registry[Headline]("headline", "headline")


def headline(place: int) -> Callable[[type[Headline]], type[Headline]]:
    """Registers a kind; `place` orders them on the screen."""

    def keep(kind: type[Headline]) -> type[Headline]:
        _headlines.register(f"{place:03}")(kind())
        return kind

    return keep


def headlines() -> list[Headline]:
    """All kinds, in their order."""
    return list(_headlines.all().values())


def most(cases: Sequence[Case], size: Callable[[Case], float]) -> list[str]:
    """The id of the first of those with the most; none of none."""
    return [max(cases, key=size).id] if cases else []
