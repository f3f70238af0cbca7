"""What a shell offers where a name is expected, after `weir --install-completion`.

Where nothing fits, a shell offers its own names of files. A person is in the middle of a line: what cannot be
looked up is left out, and nothing fails.
"""

import glob
import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import typer

MOST, MOST_LOOKED_AT = 200, 5000
"""More would not be read, and a folder may hold a million files."""
Complete = Callable[[str], list[str]]


def one_of(*names: str) -> Complete:
    """Offers these names."""

    def complete(incomplete: str) -> list[str]:
        return _fitting(names, incomplete)

    return complete


def studies(incomplete: str) -> list[str]:
    """Weir's own studies by name, and study files by their paths: here, in a folder here, or in a folder that
    the word begins with."""
    from weir.study.load import own_studies

    return [*_fitting(own_studies(), incomplete), *_paths(incomplete, "*.toml", is_wanted=Path.is_file)]


def machines(incomplete: str) -> list[str]:
    """Weir's own models of machines by name, and files of models."""
    from weir.simulate.find import own_machines

    return [*_fitting(own_machines(), incomplete), *_paths(incomplete, "*.toml", is_wanted=Path.is_file)]


def runs(incomplete: str) -> list[str]:
    """Run directories, in the same places."""
    return _paths(incomplete, "*", is_wanted=_is_run)


def runs_and_machines(incomplete: str) -> list[str]:
    """The same, and the machines of papers by name."""
    from weir.compare.shipped import shipped_machines

    return [*_fitting(shipped_machines(), incomplete), *runs(incomplete)]


def traces(incomplete: str) -> list[str]:
    """Folders of traces, in the same places."""
    return _paths(incomplete, "*", is_wanted=_is_trace)


def runs_and_traces(incomplete: str) -> list[str]:
    """Both."""
    return _paths(incomplete, "*", is_wanted=lambda path: _is_run(path) or _is_trace(path))


def comparisons(ctx: typer.Context, incomplete: str) -> list[str]:
    """The optional comparisons of the study that the line names already."""
    from weir.errors import WeirError
    from weir.study.load import find_study, load_study

    # A line that ends with an option leaves its arguments unnamed.
    named = ctx.params.get("study") or next((word for word in ctx.args if word[:1] != "-"), "")
    try:
        study = load_study(find_study(str(named)))
    except WeirError:
        return []
    return _fitting(study.not_asked, incomplete)


def launchers(incomplete: str) -> list[str]:
    """The launchers that there are."""
    from weir.errors import WeirError
    from weir.launch.base import launcher_summaries

    try:
        return _fitting(launcher_summaries(), incomplete)
    except WeirError:
        return []


def presets(incomplete: str) -> list[str]:
    """The named choices of parameters."""
    from weir.mimic.presets import presets as known

    return _fitting(known.all(), incomplete)


def papers(incomplete: str) -> list[str]:
    """The papers whose machines are modelled."""
    from weir.simulate.papers import papers as known

    return _fitting(known.all(), incomplete)


def workloads(incomplete: str) -> list[str]:
    """The applications whose patterns Weir knows."""
    from weir.workloads import workloads as known

    return _fitting(known.all(), incomplete)


def benchmarks(incomplete: str) -> list[str]:
    """The benchmarks of the core, if it is built."""
    from weir.core.client import Core, find_core
    from weir.errors import WeirError

    try:
        return _fitting((one.name for one in Core(find_core()).schema().benchmarks), incomplete)
    except WeirError:
        return []


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _is_run(path: Path) -> bool:
    return (path / "run.json").is_file()


def _is_trace(path: Path) -> bool:
    return path.is_dir() and next(path.glob("*.process"), None) is not None


def _paths(incomplete: str, pattern: str, *, is_wanted: Callable[[Path], bool]) -> list[str]:
    """Paths that the word begins, spelt as it is, and those one folder further down. A shell would have to
    quote some names: they are left to it."""
    folder, slash, begun = incomplete.rpartition("/")
    place = Path(folder + slash)
    looked_at = (
        path
        for below in ("", "*/")
        for path in islice(_listed(place, glob.escape(begun) + below + pattern), MOST_LOOKED_AT)
    )
    names = (folder + slash + str(path.relative_to(place)) for path in looked_at if is_wanted(path))
    return sorted(name for name in islice(names, MOST) if shlex.quote(name) == name)


def _listed(place: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from (path for path in place.glob(pattern) if not path.name.startswith("."))
    except OSError:
        return
