"""The program that draws in browsers is made once, and again where what is kept of it is not whole."""

from pathlib import Path

import pytest

from weir.figures import browser_program as module
from weir.figures.browser_program import browser_program

pytestmark = pytest.mark.usefixtures("draws")


class Maker:
    """An engine that makes a short program, and counts how often."""

    made = 0

    def begin_javascript_bundle(self) -> None:
        type(self).made += 1

    def end_javascript_bundle(self) -> str:
        return "draw('Ω')"

    def close(self) -> None:
        pass


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Maker]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    counted = type("Counted", (Maker,), {})
    monkeypatch.setattr(module, "Engine", counted)
    return counted


def program() -> str:
    with browser_program() as made:
        return made()


def test_it_is_made_once(maker: type[Maker]) -> None:
    assert (program(), program(), maker.made) == ("draw('Ω')", "draw('Ω')", 1)


@pytest.mark.parametrize("damaged", [b"", b"draw", b"\xff\n\xff"])
def test_what_is_not_whole_is_made_again(maker: type[Maker], damaged: bytes, tmp_path: Path) -> None:
    program()
    (kept,) = (tmp_path / "weir").iterdir()
    for content in (damaged, kept.read_bytes()[:-1]):
        kept.write_bytes(content)
        assert program() == "draw('Ω')"
    assert maker.made == 3
    assert program() == "draw('Ω')" and maker.made == 3


def test_a_cache_that_cannot_be_written_is_done_without(maker: type[Maker], tmp_path: Path) -> None:
    (tmp_path / "weir").touch()
    assert (program(), program(), maker.made) == ("draw('Ω')", "draw('Ω')", 2)


def test_the_engine_makes_it() -> None:
    """The one that pages really hold."""
    assert "vegaEmbed" in program()
