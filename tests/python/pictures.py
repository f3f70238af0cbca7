"""What is tested of each verb that draws a file: `weir aquifer`, `weir cloud` and `weir flash picture`."""

import importlib.util
import sys
from pathlib import Path

import pytest

from verbs import weir_here
from weir.extras import how_to_install

drawing = pytest.mark.usefixtures("draws")


def expect_help(verb: str, *options: str) -> None:
    """Its help names both commands, and that of `picture` its options and argument."""
    top = weir_here(verb, "--help")
    assert top.exit_code == 0 and "\n  picture " in top.output and "\n  show " in top.output
    told = weir_here(verb, "picture", "--help").output
    for name in options:
        assert name in told


def expect_refused(verb: str, file: Path, arguments: tuple[str, ...], said: str) -> None:
    """It says so in one line, and leaves nothing beside the file."""
    done = weir_here(verb, "picture", file, *arguments)
    assert done.exit_code == 2 and done.stdout == ""
    assert said in done.stderr.lower() and len(done.stderr.splitlines()) == 1
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def hide(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing finds it any more."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find(name))


def expect_advice_without_what_draws(verb: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    done = weir_here(verb, "picture", file)
    assert done.exit_code == 2 and how_to_install("figures") in done.stderr
