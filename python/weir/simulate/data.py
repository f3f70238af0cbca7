"""Numbers that a model is to give: a CSV file, a row a number."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.bounded_parsing import MIB
from weir.errors import WeirError, did_you_mean
from weir.files.named import read_named
from weir.simulate.quantities import Quantity, parse_quantity
from weir.simulate.settings import CACHES, METHODS, Settings
from weir.simulate.simulate import Asked, parse_ranks
from weir.units import count_words, parse_bytes

NEEDED = ("pattern", "ranks", "quantity", "value")
OTHERS = (*Settings.__struct_fields__, "use")
FIT, CHECK = "fit", "check"
"""What a number is used for: to fit, or only to be held against the model that others gave."""
_ADVICE = "a row reads for example: flash-io --blocks 80,64,written,255 MB/s"
IsApplication = Callable[[str], bool]


@dataclass(frozen=True)
class Datum:
    """A number of some source, in base units."""

    asked: Asked
    quantity: Quantity
    value: float
    use: str
    place: str
    """ "data.csv:7"."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Which it is, without its value: pattern, ranks, settings, quantity."""
        ranks = count_words(self.asked.ranks, "rank")
        return self.asked.pattern, ranks, self.asked.settings.words, self.quantity.words


def labels(data: Sequence[Datum]) -> list[str]:
    """What tells each number from the others; its quantity in any case."""
    columns = list(zip(*(one.parts for one in data), strict=True))
    said = [at for at, column in enumerate(columns) if len(set(column)) > 1 or at == len(columns) - 1]
    return [", ".join(filter(None, (one.parts[at] for at in said))) for one in data]


def read_data(path: Path, is_application: IsApplication) -> list[Datum]:
    """All rows; a pattern's file is meant from that file's folder. Raises WeirError, with the line, where one
    is not right."""
    text = read_named(path, 16 * MIB, "the data", "name a CSV file").decode("utf-8-sig", "replace")
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
    rows = csv.reader(line for _, line in lines)
    head = [name.strip() for name in next(rows, [])]
    _check_head(head, f"{path}:{lines[0][0] if lines else 1}")
    found = []
    for (at, _), cells in zip(lines[1:], rows, strict=False):
        place = f"{path}:{at}"
        try:
            found.append(_datum(_row(head, cells), place, path.parent, is_application))
        except WeirError as error:
            raise WeirError(f"{place}: {error.problem}", error.why, error.suggestion) from error
    if not any(one.use == FIT for one in found):
        raise WeirError(f"there is no number to fit to in '{path}'", "", _ADVICE)
    return found


def _check_head(head: list[str], place: str) -> None:
    for name in NEEDED:
        if name not in head:
            raise WeirError(f"{place}: there is no column '{name}'", "", f"begin with {','.join(NEEDED)}")
    for name in head:
        if head.count(name) > 1:
            raise WeirError(f"{place}: the column '{name}' stands there twice", "", "leave one out")
        if name not in NEEDED and name not in OTHERS:
            raise WeirError(f"{place}: unknown column '{name}'", "", did_you_mean(name, [*NEEDED, *OTHERS]))


def _row(head: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) != len(head):
        raise WeirError(f"the row has {len(cells)} cells, not {len(head)}", "", _ADVICE)
    return dict(zip(head, map(str.strip, cells), strict=True))


def _datum(row: Mapping[str, str], place: str, folder: Path, is_application: IsApplication) -> Datum:
    pattern = row["pattern"]
    ranks = parse_ranks(row["ranks"])
    quantity = parse_quantity(row["quantity"])
    use = row.get("use") or FIT
    if len(ranks) != 1 or not pattern:
        raise WeirError("a number is of one pattern on one count of ranks", "", _ADVICE)
    if use not in (FIT, CHECK):
        raise WeirError(f"'{use}' is no use of a number", f"it is {FIT} or {CHECK}", f"write {FIT}")
    word = pattern if is_application(pattern) else str(folder / pattern)
    value = float(quantity.kind.parse(row["value"]))
    if value <= 0:
        raise WeirError(f"'{row['value']}' has no ratio to anything", "", "leave the row out")
    return Datum(Asked(word, ranks[0], _settings(row)), quantity, value, use, place)


def _settings(row: Mapping[str, str]) -> Settings:
    given = {name: row[name] for name in Settings.__struct_fields__ if row.get(name)}
    method, cache = _choice(given, "method", METHODS), _choice(given, "cache", CACHES)
    stripe = given.pop("stripe_bytes", "")
    for name, text in given.items():
        if not text.isdecimal():
            raise WeirError(f"{name} is '{text}'", "it is a count", f"write for example {name} 8")
    counts = {name: int(text) for name, text in given.items()}
    return Settings(method=method, cache=cache, stripe_bytes=parse_bytes(stripe) if stripe else 0, **counts)


def _choice(given: dict[str, str], name: str, choices: Sequence[str]) -> str:
    """Taken out of what is given, or the first, the usual one."""
    word = given.pop(name, choices[0])
    if word not in choices:
        raise WeirError(f"there is no {name} '{word}'", "", did_you_mean(word, choices))
    return word
