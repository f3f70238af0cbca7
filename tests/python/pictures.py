"""What is tested of each kind of dump that `weir picture` draws."""

import sys
from pathlib import Path

import pytest

from verbs import weir_here
from weir.extras import how_to_install

drawing = pytest.mark.usefixtures("draws")


def expect_refused(file: Path, arguments: tuple[str, ...], said: str) -> None:
    """It says so in one line, and leaves nothing beside the file."""
    done = weir_here("picture", file, *arguments)
    assert done.exit_code == 2 and done.stdout == ""
    assert said in done.stderr.lower() and len(done.stderr.splitlines()) == 1
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def hide(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing finds it any more."""
    monkeypatch.setitem(sys.modules, package, None)


def expect_advice_without_what_draws(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    done = weir_here("picture", file)
    assert done.exit_code == 2 and how_to_install("figures") in done.stderr
