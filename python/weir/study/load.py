"""Finds a study file, reads it, checks its shape, and writes it as resolved."""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded_parsing import MOST_TOML_BYTES
from weir.errors import WeirError, did_you_mean
from weir.files.named import read_named
from weir.launch.nodes import Node
from weir.study.of_cores import RANKS, is_of_cores
from weir.study.parts import check_parts
from weir.study.schema import ComparisonSection, StudyFile
from weir.toml.shape import read_toml, shaped
from weir.toml.source import KeyPath, Source
from weir.units import parse_seconds, parse_share

YAML_ENDINGS = (".yaml", ".yml")


def own_studies() -> dict[str, Path]:
    """Weir's own studies by name: next to the package when installed, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "studies", package.parents[1] / "studies"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.toml"))}
    return {}


def is_own(path: Path) -> bool:
    """Whether the file is one of Weir's own studies."""
    return path.resolve() in {own.resolve() for own in own_studies().values()}


def find_study(name: str) -> Path:
    """The file meant by a path, which has a slash or the ending of a study, or by the name of one of Weir's
    own studies: a file of that name in the current directory may be anybody's. Raises WeirError if there is
    none."""
    path = Path(name)
    if path.suffix in (".toml", *YAML_ENDINGS) or "/" in name or name in (".", ".."):
        return path
    own = own_studies()
    if name not in own and path.exists():
        raise WeirError(
            f"there is no study '{name}' among Weir's own",
            "a name without a slash is one of those, whatever lies in the current directory",
            f"for the file write {shlex.quote(f'./{name}')}",
        )
    if name not in own:
        raise WeirError(
            f"there is no study '{name}'",
            "it is neither a file nor one of Weir's own",
            did_you_mean(name, own),
        )
    return own[name]


@dataclass(frozen=True)
class Study:
    """A study whose shape is right; what its options mean is for `expand` to say."""

    file: StudyFile
    source: Source
    budget_s: float
    precision: float
    """Wanted full width of the interval, as a fraction of the median."""
    asked: frozenset[str] = frozenset()
    """Optional comparisons that are run all the same."""
    nodes: tuple[Node, ...] = ()
    """On which each case is run by itself; empty where the study does not ask for that."""
    cores: int | None = None
    """Those that each of them has; None where there are no nodes."""
    job_nodes: int | None = None
    """Those of the job that it is for; None where that is the one that this process is in, if any."""

    @property
    def name(self) -> str:
        """The study's name."""
        return self.file.study.name

    @property
    def comparisons(self) -> list[ComparisonSection]:
        """The comparisons in the order of the file."""
        return self.file.comparison

    @property
    def not_asked(self) -> list[str]:
        """The names of the optional comparisons that are not run."""
        return [part.name for part in self.comparisons if part.optional and part.name not in self.asked]

    def asking_for(self, names: Sequence[str]) -> "Study":
        """The study with these comparisons too, if they are optional. Raises WeirError if there is no such
        one."""
        known = [part.name for part in self.comparisons]
        for name in names:
            if name not in known:
                raise WeirError(
                    f"study '{self.name}' has no comparison '{name}'", "", did_you_mean(name, known)
                )
        return replace(self, asked=self.asked.union(names))

    def on_nodes(self, nodes: Sequence[Node], cores: int) -> "Study":
        """The study for these nodes, each of so many cores."""
        return replace(self, nodes=tuple(nodes), cores=cores)

    def in_job_of(self, nodes: int) -> "Study":
        """The study for a job of so many nodes, whatever job this process is in."""
        return replace(self, job_nodes=nodes)


_NAME_ONE = "name a TOML file; `weir list` shows Weir's own studies"


def load_study(path: Path) -> Study:
    """The study in that file. Raises WeirError, with the line, for anything that is not right."""
    if path.suffix in YAML_ENDINGS:
        raise WeirError(
            f"cannot read the study '{path}'",
            "it is YAML, and studies are TOML",
            f"write it as TOML, in a file '{path.stem}.toml'",
        )
    try:
        return parse_study(read_study(path).decode(), str(path))
    except UnicodeDecodeError as error:
        why = f"it is no UTF-8 (byte {error.start})"
        raise WeirError(f"cannot read the study '{path}'", why, _NAME_ONE) from error


def read_study(path: Path) -> bytes:
    """What that file holds. Raises WeirError where it cannot be read."""
    return read_named(path, MOST_TOML_BYTES, "the study", _NAME_ONE)


def parse_study(text: str, name: str) -> Study:
    """The study in that text; `name` says in errors where it comes from."""
    return _study_of(*read_toml(text, name, 'block = "64MiB"'))


def make_study(data: Mapping[str, Any], name: str) -> Study:
    """The study that a file with these tables would be; it was in none, and errors name no line."""
    return _study_of(data, Source(name, {}))


def _study_of(data: Any, source: Source) -> Study:
    file = shaped(data, StudyFile, source)
    _check_names(file, source)
    section = file.study
    if section.min_samples > section.max_samples:
        raise source.error(
            ("study", "max_samples"),
            f"max_samples {section.max_samples} contradicts min_samples {section.min_samples}",
            "a case cannot stop before it may stop",
            f"write for example max_samples = {max(section.min_samples, 30)}",
        )
    return Study(
        file,
        source,
        budget_s=_positive(source, "budget", parse_seconds, section.budget),
        precision=_positive(source, "precision", parse_share, section.precision),
    )


def _check_names(file: StudyFile, source: Source) -> None:
    seen: set[str] = set()
    for index, comparison in enumerate(file.comparison):
        place = ("comparison", index, "name")
        if comparison.name in seen:
            raise source.error(place, f"two comparisons are called '{comparison.name}'", "", "rename one")
        seen.add(comparison.name)
        for key, values in comparison.axes.items():
            _check_axis(source, ("comparison", index), key, values)
            if key in comparison.fixed:
                raise source.error(
                    ("comparison", index, "fixed", key),
                    f"'{key}' is both fixed and an axis of '{comparison.name}'",
                    "it can be only one of them",
                    "remove one of the two",
                )
        _check_together(source, ("comparison", index), comparison)
    check_parts(file, source)


def _check_axis(source: Source, place: KeyPath, key: str, values: Any) -> None:
    if key == RANKS and is_of_cores(values):
        return
    if not isinstance(values, list):
        raise source.error(
            (*place, "axes", key),
            f"the axis '{key}' is {values!r}",
            "an axis is a list of values",
            f"write axes = {{ {key} = [ … ] }}, or put '{key}' under fixed",
        )
    if not values:
        raise source.error((*place, "axes", key), f"the axis '{key}' is empty", "", "give it a value")


def _check_together(source: Source, place: KeyPath, comparison: ComparisonSection) -> None:
    """The axes that go together exist, and have the same number of values."""
    for at, key in enumerate(comparison.together):
        if key not in comparison.axes:
            raise source.error(
                (*place, "together", at),
                f"'{key}' is no axis of '{comparison.name}'",
                "only axes go together",
                did_you_mean(key, comparison.axes),
            )
    counts = {key: len(comparison.axes[key]) for key in comparison.together}
    if len(set(counts.values())) > 1:
        raise source.error(
            (*place, "together"),
            f"the axes that go together in '{comparison.name}' have different numbers of values",
            ", ".join(f"{key} has {count}" for key, count in counts.items()),
            "give each of them as many values",
        )


def _positive(source: Source, key: str, parse: Any, text: str) -> float:
    with source.placing(("study", key)):
        value: float = parse(text)
    if value <= 0:
        raise source.error(("study", key), f"{key} is {text}", "it must be greater than 0", "")
    return value


def render_study(study: Study) -> str:
    """The text of `study.toml`. Reading it again gives the same study."""
    return render_file(study.file)


def render_file(file: StudyFile) -> str:
    """The same of a study that was in no file yet."""
    data: dict[str, Any] = msgspec.to_builtins(file)
    lines = ["[study]", *_pairs(data["study"]), "", "[fixed]", *_pairs(data["fixed"])]
    for part in data["part"]:
        lines += ["", "[[part]]", *_pairs(part)]
    for comparison in data["comparison"]:
        lines += ["", "[[comparison]]", *_pairs(comparison)]
    return "\n".join(lines) + "\n"


def _pairs(table: dict[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]


def _key(key: str) -> str:
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isalnum() and plain.isascii() else json.dumps(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            inner = ", ".join(_pairs(value))
            return f"{{ {inner} }}" if inner else "{}"
        case list():
            return "[" + ", ".join(_value(item) for item in value) + "]"
        case str():
            # A JSON string is a TOML basic string, but for the delete character, which JSON leaves as it is.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
