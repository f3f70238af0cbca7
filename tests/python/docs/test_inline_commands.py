"""Commands within sentences and tables name verbs, benchmarks and options that there are."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer.main
from documents import ROOT, documents, name_of

from weir.cli._app import build_app
from weir.core.client import Core, find_core
from weir.errors import WeirError

PAST = (ROOT / "CHANGELOG.md", *(ROOT / "docs/adr").iterdir())
DOCUMENTS = [path for path in documents() if path not in PAST]
INLINE = re.compile(r"(?<!`)`((?:weir|weir-core) [^`]+)`(?!`)")
QUOTED = re.compile(r'"([^"]*)"')
OPTION = re.compile(r"(?<=\s)--?[a-z][\w-]*")


def commands(document: Path) -> Iterator[tuple[str, list[str]]]:
    """Each command with its words; what is behind ` -- ` is another program's."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for command in INLINE.findall(text):
        yield command, re.split(r" -- | [|>] ", " ".join(command.split()))[0].split(" ")


def options(command: str) -> list[str]:
    return OPTION.findall(re.split(r" -- | [|>] ", command)[0])


def weir_lacks(words: Sequence[str], used: Sequence[str]) -> list[str]:
    """The verbs and options that `weir` does not have."""
    verb: Any = typer.main.get_command(build_app())
    for word in words[1:]:
        if not hasattr(verb, "commands") or not re.fullmatch(r"[a-z-]+", word) or word.startswith("-"):
            break
        if word not in verb.commands:
            return [word]
        verb = verb.commands[word]
    known = {option for parameter in verb.params for option in [*parameter.opts, *parameter.secondary_opts]}
    return [option for option in used if option not in known | {"--help", "-h"}]


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_of_weir(document: Path) -> None:
    wrong = [
        (command, lacking)
        for command, words in commands(document)
        if words[0] == "weir" and (lacking := weir_lacks(words, options(QUOTED.sub("", command))))
    ]
    assert wrong == []


def test_commands_of_the_core() -> None:
    try:
        schema = Core(find_core()).schema()
    except WeirError as error:
        pytest.skip(str(error))
    known = {
        one.name: {f"--{option.name.replace('_', '-')}" for option in one.options}
        for one in schema.benchmarks
    }
    wrong = []
    for document in DOCUMENTS:
        for command, words in commands(document):
            applications = [quoted.split() for quoted in QUOTED.findall(command)]
            for name, *more in [words[1:], *applications] if words[0] == "weir-core" else applications:
                have = known.get(name, set())
                have |= {f"--no-{option[2:]}" for option in have} | {"--help"}
                wrong += [
                    (command, one)
                    for one in options(" ".join(["", *more]))
                    if name in known and one not in have
                ]
    assert wrong == []
