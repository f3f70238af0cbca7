"""What a study reaches beyond the files that it measures with: code that is loaded, files anywhere. It is
shown before anything runs, and a study that is not one of Weir's own does it only where the person allows
that."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weir.core.option import Option
from weir.core.schema import Schema
from weir.errors import WeirError
from weir.study.launch_settings import Variable, variables_of
from weir.study.load import Study

PERMISSION = "--trust"

_IN_WORDS = {
    "code": "a library whose code is run",
    "input": "a file that is read",
    "output": "a file that is written",
    "directory": "a directory that is measured",
    "protection": "it lifts a protection",
}
"""What an option of each kind names; weir-core declares the kinds with its options."""
_SHOWN_ONLY = ("directory",)


@dataclass(frozen=True)
class Reach:
    """An option with a value that names something outside."""

    option: str
    value: str
    kind: str

    @property
    def is_asked_for(self) -> bool:
        """Whether the person must allow it."""
        return self.kind not in _SHOWN_ONLY

    def in_words(self) -> str:
        """The option, and what to know of it."""
        what = _IN_WORDS.get(self.kind, f"it reaches outside: {self.kind}")
        return f"{self.option} = {self.value} ({what})"

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "option": self.option,
            "value": self.value,
            "kind": self.kind,
            "asked_for": self.is_asked_for,
        }


def reaches_of(study: Study, schema: Schema) -> list[Reach]:
    """Every such value in the file once, in its order; those of comparisons that are not run are left out."""
    found = (reach for key, value in _settings(study) for reach in _reaches(key, value, schema))
    return list(dict.fromkeys(found))


def check_allowed(study: Study, schema: Schema) -> None:
    """Raises WeirError if the study does what must be allowed."""
    asked: list[Reach | Variable] = [one for one in reaches_of(study, schema) if one.is_asked_for]
    asked += [one for one in variables_of(study) if one.loads_code]
    names = dict.fromkeys(one.option if isinstance(one, Reach) else one.name for one in asked)
    if names:
        raise WeirError(
            f"study '{study.name}' sets {', '.join(names)}",
            "so its author can choose code that runs with your rights, or files that are read and "
            "written with them, and it is none of Weir's own studies",
            f"look at it with `weir plan`, and say {PERMISSION} if you trust it",
        )


def _settings(study: Study) -> Iterator[tuple[str, Any]]:
    yield from study.file.fixed.items()
    for part in study.comparisons:
        if part.name not in study.not_asked:
            yield from part.fixed.items()
            for key, values in part.axes.items():
                yield from ((key, value) for value in (values if isinstance(values, list) else [values]))


def _reaches(key: str, value: Any, schema: Schema) -> Iterator[Reach]:
    """What the value is to any of the benchmarks: which one a case has, and whether the value fits, is for
    `expand` to say."""
    for option in (option for benchmark in schema.benchmarks if (option := benchmark.option(key))):
        if option.reach is not None and not _is_inside(option, value):
            yield Reach(key, _spelt(value), option.reach)


def _is_inside(option: Option, value: Any) -> bool:
    return value == option.default or value in (option.inside or []) or value in ("", [], False)


def _spelt(value: Any) -> str:
    return ", ".join(str(each) for each in value) if isinstance(value, list) else str(value)
