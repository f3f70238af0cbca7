"""Patterns of files, as they are handed to the simulator."""

from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from weir.errors import WeirError
from weir.pattern import Pattern, phase_of
from weir.simulate.patterns import PatternSource


class Preparing:
    """In place of a core: before the pattern's own phase comes one that makes the files it only finds."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.asked: list[tuple[int | None, bool]] = []

    @property
    def benchmarks(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="cloud")]

    def schema(self) -> "Preparing":
        return self

    def benchmark(self, name: str) -> None:
        return None

    def prepare(self, path: Path, *, ranks: int | None, gaps: bool) -> Pattern:
        self.asked.append((ranks, gaps))
        return msgspec.structs.replace(self.pattern, phases=[phase_of("fill", []), *self.pattern.phases])


def test_a_file_is_prepared_with_its_gaps_and_without_what_makes_its_files(tmp_path: Path) -> None:
    own = Pattern(weir_pattern=1, name="own", ranks=4, files=[], phases=[phase_of("read", [])])
    path = tmp_path / "own.json"
    path.write_bytes(msgspec.json.encode(own))
    core = Preparing(own)
    source = PatternSource(str(path), core)
    assert (source.name, source.ranks) == ("own", 4)
    for ranks in (4, 8):
        made = msgspec.json.decode(source.for_ranks(ranks), type=Pattern)
        assert [phase.name for phase in made.phases] == ["read"]
    assert core.asked == [(None, True), (8, True)]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("Allreduc --bytes 8B", "no MPI function and no file. Did you mean 'Allreduce'?"),
        ("cluod --cells 8x8x8", "Did you mean 'cloud'?"),
        ("nosuch.json", "there is no such file"),
        ("", "the pattern is empty"),
        (".", "it is a folder, not a file"),
    ],
)
def test_what_is_nearly_an_application_or_a_function_is_told(word: str, message: str) -> None:
    core = Preparing(Pattern(weir_pattern=1, name="own", ranks=4, files=[], phases=[]))
    with pytest.raises(WeirError) as raised:
        PatternSource(word, core).for_ranks(2)
    assert message in str(raised.value)
