"""One of each kind of thing that a person may hand to a verb."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_type_hints

import typer
from typer.models import ArgumentInfo

from weir.cli._app import build_app
from weir.handed.takes import Takes

Make = Callable[[Path], None]


def folder(*files: str) -> Make:
    """A folder of such files."""

    def make(path: Path) -> None:
        path.mkdir()
        for file in files:
            (path / file).write_text("{}\n")

    return make


def file(content: str | bytes, mode: int = 0o644) -> Make:
    """A file that begins so."""

    def make(path: Path) -> None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(mode)

    return make


THINGS: dict[str, tuple[str, Make]] = {
    "run": ("RUN", folder("run.json", "samples.jsonl")),
    "pattern-run": ("REPLAY", folder("run.json", "pattern.json")),
    "trace": ("TRACE", folder("head.json", "node-1-0.process")),
    "packed-trace": ("T.weirtrace", file(b"WEIRPAK1" + bytes(64))),
    "study": ("mine.toml", file('[study]\nname = "mine"\n')),
    "profile": ("n1.profile.json", file('{"kind":"weir-profile","schema":1,"rows":[]}')),
    "pattern": ("pattern.json", file('{"weir_pattern":1,"name":"p","ranks":2,"files":[],"phases":[]}')),
    "cases": ("cases.json", file('{"schema":1,"cases":[]}')),
    "page": ("report.html", file("<!doctype html><title>Run</title>")),
    "table": ("samples.csv", file("case,phase\n1,write\n")),
    "image": ("figure.png", file(b"\x89PNG\r\n\x1a\n")),
    "program": ("./app", file("#!/bin/sh\n", 0o755)),
    "hdf5": ("file.h5", file(b"\x89HDF\r\n\x1a\n" + bytes(64))),
    "output": ("imb.txt", file("# Benchmarking PingPong\n# #processes = 2\n")),
    "dump-cloud": ("DUMP", folder("restart", "analysis-000005")),
}
"""By kind: a name for one, and what makes it."""


def verbs() -> Iterator[tuple[str, Takes | None]]:
    """Each verb that takes a path as an argument: its words, and what it takes."""
    yield from _below(build_app(), "")


def _below(app: typer.Typer, words: str) -> Iterator[tuple[str, Takes | None]]:
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from _below(group.typer_instance, f"{words} {group.name}".strip())
    for command in app.registered_commands:
        assert command.callback is not None
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            marks = getattr(hint, "__metadata__", ())
            if any(_is_path(one) for one in marks if isinstance(one, ArgumentInfo)):
                yield f"{words} {command.name}".strip(), command.callback.takes.get(name)  # type: ignore[attr-defined]


def _is_path(argument: ArgumentInfo) -> bool:
    return not any(word in (argument.metavar or "") for word in ("NAME", "BENCHMARK"))
