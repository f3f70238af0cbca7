"""What others wrote (titles, directories, labels, file names, arguments) reaches no terminal but as text."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from damage.verbs import weir
from fakes import study_text
from weir.cli._app import build_app
from weir.cli._streams import console, make_streams_printable
from weir.printable import cell_text, json_text, printable

PAYLOADS = {
    "title of the window": "\x1b]0;owned\x07",
    "colour": "\x1b[31mred",
    "eight-bit colour": "\x9b31mred",
    "over the line": "good\rbad!",
    "back": "a\x08\x08b",
    "delete": "a\x7fb",
    "right to left": "a\u202egnp.exe",
    "ends of lines": "a\u2028b\u2029c\x85d",
}
STEERS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Screen:
    """Both streams as a terminal would get them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, encoding: str = "utf-8") -> None:
        self._bytes = io.BytesIO()
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, io.TextIOWrapper(self._bytes, encoding, write_through=True))
        make_streams_printable()

    @property
    def text(self) -> str:
        return self._bytes.getvalue().decode("utf-8", "strict")


def verbs(group: Any = None, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every verb and command, as words."""
    group = group or typer.main.get_command(build_app())
    for name, verb in group.commands.items():
        yield from verbs(verb, (*above, name)) if hasattr(verb, "commands") else [(*above, name)]


@pytest.mark.parametrize("payload", (*PAYLOADS.values(), os.fsdecode(b"a\xffb")), ids=(*PAYLOADS, "no UTF-8"))
@pytest.mark.parametrize("verb", list(verbs()), ids=" ".join)
@pytest.mark.usefixtures("fake_core")
def test_wrong_arguments(
    verb: tuple[str, ...], payload: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    screen = Screen(monkeypatch)
    for arguments in ([payload], [f"--{payload}"], ["--json", payload]):
        assert weir(*verb, *arguments) in (0, 2, 3, 5, 6)
        assert not STEERS.search(screen.text), screen.text
    assert screen.text


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
@pytest.mark.usefixtures("fake_core")
def test_a_run_of_a_hostile_study(payload: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    directory = tmp_path / f"store{payload.replace('/', '')}"
    directory.mkdir()
    quoted = "".join(
        c if c.isalnum() else f"\\U{ord(c):08x}" for c in payload.encode("utf-8", "replace").decode()
    )
    text = re.sub(r"^title = .*\n", "", study_text(), flags=re.M)
    Path("study.toml").write_text(text.replace("[study]", f'[study]\ntitle = "{quoted}"', 1))
    screen = Screen(monkeypatch)
    assert weir("plan", "study.toml", "--dir", str(directory)) == 0
    assert weir("run", "study.toml", "--dir", str(directory), "--out", "R") == 0
    for verb in (["show", "R"], ["show", "R", "--json"], ["report", "R"]):
        assert weir(*verb) == 0
    assert not STEERS.search(screen.text), screen.text
    for form in ("csv", "openmetrics"):
        assert weir("export", "R", "--format", form, "--out", f"out.{form}") == 0
        assert not STEERS.search(Path(f"out.{form}").read_text())


@pytest.mark.usefixtures("fake_core")
def test_a_directory_whose_name_is_no_utf8_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    directory = tmp_path / os.fsdecode(b"store\xff")
    directory.mkdir()
    Path("study.toml").write_text(study_text())
    screen = Screen(monkeypatch)
    for verb in ("plan", "run"):
        assert weir(verb, "study.toml", "--dir", str(directory)) == 2
    assert r"store\xff' cannot be written down (it holds bytes that are no UTF-8" in screen.text
    assert list(directory.iterdir()) == []


def test_json_says_the_same() -> None:
    text = json.dumps({"a": "\x1b\x9b\u202e\n\\"}, ensure_ascii=False, indent=1)
    assert STEERS.search(text)
    assert not STEERS.search(json_text(text))
    assert json.loads(json_text(text)) == json.loads(text)


def test_formulas_become_text() -> None:
    for start in "=+-@":
        assert cell_text(f"{start}1+1") == f"'{start}1+1"
    assert cell_text("a=1") == "a=1"
    assert cell_text("\x1b[0m") == r"\x1b[0m"


def test_what_the_encoding_lacks_is_spelt_or_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(monkeypatch, "ascii")
    print("3 … 4 μs Ω")
    assert screen.text == "3 ... 4 us \\u03a9\n"


def test_the_console_keeps_its_own_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen(monkeypatch)
    console().print("a\x1b[5mb", style="red")
    assert "\x1b[31m" in screen.text
    assert "\x1b[5m" not in screen.text
    assert printable("a\x1b[5mb") in screen.text
