"""What is tried for a function that violates guidelines: every algorithm at the sizes of the violations, and
at others, against the library's own choice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.core.option import Option
from weir.core.schema import Benchmark
from weir.network.guidelines.judge import Judged, Violation, ranks_of, setting_of, violations_of
from weir.network.rows import BENCHMARK, function_of, message_bytes
from weir.network.tune.algorithms import Algorithm, algorithms_of
from weir.results.row import Row
from weir.study.load import Study, make_study
from weir.study.placement import SPREAD
from weir.units import spell_bytes, spell_seconds

LEAST_ROUNDS, MOST_SAMPLES = 8, 36
"""Short launches go through their cases up to three times: so many samples are twelve rounds or more."""
MOST_OTHER_SIZES = 6


@dataclass(frozen=True)
class Subject:
    """A function in one setting, with the sizes at which it violates guidelines and the others that were
    measured."""

    row: Row
    """One of its rows, for the setting."""
    violations: tuple[Violation, ...]
    sizes: tuple[int, ...]
    others: tuple[int, ...]
    algorithms: tuple[Algorithm, ...]

    @property
    def function(self) -> str:
        return function_of(self.row)

    @property
    def ranks(self) -> int:
        return ranks_of(self.row)

    @property
    def environments(self) -> list[dict[str, str]]:
        """That of the run, and with each algorithm."""
        own = dict(self.row.env)
        return [own, *(own | dict(one.env) for one in self.algorithms)]


def subjects_of(judged: Judged, rows: Sequence[Row], offered: Sequence[Algorithm]) -> list[Subject]:
    """What violates guidelines in the rows that were judged, the worst first."""
    found: dict[tuple[str, str], list[Violation]] = {}
    for violation in violations_of(judged.judgements):
        found.setdefault((violation.function, setting_of(violation.worst.one)), []).append(violation)
    return [_subject(violations, rows, offered) for violations in found.values()]


def _subject(violations: list[Violation], rows: Sequence[Row], offered: Sequence[Algorithm]) -> Subject:
    row = violations[0].worst.one
    sizes = sorted({judgement.size for one in violations for judgement in one.judgements})
    key = setting_of(row)
    measured = sorted(
        message_bytes(other)
        for other in rows
        if other.benchmark == BENCHMARK
        and function_of(other) == function_of(row)
        and setting_of(other) == key
    )
    others = _spread([size for size in dict.fromkeys(measured) if size not in sizes], MOST_OTHER_SIZES)
    algorithms = algorithms_of(offered, function_of(row), ranks_of(row))
    return Subject(row, tuple(violations), tuple(sizes), tuple(others), tuple(algorithms))


def _spread(values: list[int], most: int) -> list[int]:
    """As many of them at most, from the first to the last in even steps."""
    if len(values) <= most:
        return values
    return [values[round(step * (len(values) - 1) / (most - 1))] for step in range(most)]


def trial_study(subjects: Iterable[Subject], benchmark: Benchmark, name: str, budget_s: float) -> Study:
    """The study that measures them: a comparison a subject and size, whose environments are run in turns, so
    that a short budget measures some sizes with all of them. The sizes of violations come first."""
    data = {
        "study": {
            "name": name,
            "title": "Other algorithms where guidelines are violated",
            "budget": spell_seconds(budget_s),
            "precision": "1%",
            "min_samples": LEAST_ROUNDS,
            "max_samples": MOST_SAMPLES,
        },
        "fixed": {"benchmark": BENCHMARK},
        "comparison": [
            {
                "name": f"{one.function.lower()}-{number}-{size}",
                "title": f"{one.function}, {one.ranks} ranks, {spell_bytes(size)}",
                "fixed": {"ranks": one.row.ranks, **_placed(one.row), **_options(one.row, benchmark)},
                "axes": {"env": one.environments, "bytes": [spell_bytes(size)]},
            }
            for number, one in enumerate(subjects, 1)
            for size in (*one.sizes, *one.others)
        ],
    }
    return make_study(data, name)


def _placed(row: Row) -> Mapping[str, Any]:
    """Where its ranks were wanted: on so many nodes, however that came."""
    return {key: value for key, value in row.placement.items() if key != SPREAD}


def _options(row: Row, benchmark: Benchmark) -> Mapping[str, Any]:
    """Those of the row that are not the defaults, as a study spells them."""
    known = [(option, row.options.get(option.name)) for option in benchmark.options if option.name != "bytes"]
    return {
        option.name: _spelt(option, value)
        for option, value in known
        if value is not None and value != option.default
    }


def _spelt(option: Option, value: Any) -> Any:
    spell = {"bytes": spell_bytes, "seconds": spell_seconds}.get(option.type)
    return spell(value) if spell else value
