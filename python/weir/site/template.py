"""A site's own launcher, described by the words of its command line, with fields in braces in the place of
what a launch asks for.

A text stands in every command. A list in the command is left out as a whole where a launch asks for none of
what one of its fields names: `["--nodes", "{nodes}"]`.
"""

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
from msgspec import Meta

from weir.errors import did_you_mean
from weir.toml.source import KeyPath, Source

PROGRAM, RANKS = "{program}", "ranks"
OPTIONAL = ("nodes", "ranks_per_node", "threads", "host", "binding")
"""What a launch may leave to the launcher."""
_FIELDS = (RANKS, *OPTIONAL)
_OF_ENV = ("name", "value")
_EXAMPLE = 'command = ["ourrun", ["-N", "{nodes}"], "-n", "{ranks}", "{program}"]'


class LauncherSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[launchers.NAME]`: a launcher of the site's own."""

    command: Annotated[list[str | list[str]], Meta(examples=[_EXAMPLE.removeprefix("command = ")])]
    """Its words: texts, and lists of texts that stand together or not at all."""
    env: Annotated[list[str], Meta(examples=['["--export", "{name}={value}"]'])] = []
    """Words for each variable of a launch, in front of the program; without them it hands on its own."""
    bindings: Annotated[dict[str, str], Meta(examples=['{ core = "cores", none = "no" }'])] = {}
    """Its own words for core, socket and none, where they are others."""


@dataclass(frozen=True)
class Part:
    """Words that stand together, and the fields in them."""

    words: tuple[str, ...]
    fields: frozenset[str]


@dataclass(frozen=True)
class Template:
    """A launcher of the site's own; where its command is stands in `place`."""

    name: str
    place: str
    parts: tuple[Part, ...]
    env: tuple[str, ...] = ()
    bindings: Mapping[str, str] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """The launcher's own program."""
        return self.parts[0].words[0]

    @property
    def fields(self) -> frozenset[str]:
        """All that its command has."""
        return frozenset[str]().union(*(part.fields for part in self.parts))

    def lacking(self, asked: Mapping[str, str]) -> list[str]:
        """What is asked for and has no field in the command."""
        return [name for name in asked if name not in self.fields]

    def words(
        self, asked: Mapping[str, str], program: tuple[str, ...], env: Mapping[str, str]
    ) -> tuple[str, ...]:
        """The command line. `asked`: the value of each field that the launch asks for."""
        found: list[str] = []
        for part in self.parts:
            if part.words == (PROGRAM,):
                for name, value in env.items():
                    found += [word.format(name=name, value=value) for word in self.env]
                found += program
            elif part.fields <= asked.keys():
                found += [word.format_map(asked) for word in part.words]
        return tuple(found)


def template_of(name: str, section: LauncherSection, source: Source, at: KeyPath) -> Template:
    """The launcher that the section at that key describes. Raises WeirError, with the line, for a command
    that could start no ranks."""
    here = (*at, "command")
    parts = [_part(words, source, (*here, number)) for number, words in enumerate(section.command)]
    counts = {one: sum(one in part.fields for part in parts) for one in (RANKS, "program")}
    if not counts[RANKS] or counts["program"] != 1:
        says = "does not name {ranks}" if not counts[RANKS] else f"names {PROGRAM} {counts['program']} times"
        problem = f"the command of the launcher '{name}' {says}"
        raise source.error(here, problem, "it could start no ranks", f"write for example {_EXAMPLE}")
    if not parts[0].words[0] or parts[0].fields or isinstance(section.command[0], list):
        problem = f"the launcher '{name}' begins with no program"
        raise source.error(here, problem, "its first word is run as it is", f"write for example {_EXAMPLE}")
    for number, word in enumerate(section.env):
        list(_fields(word, _OF_ENV, source, (*at, "env", number)))
    for word in section.bindings:
        if word not in ("core", "socket", "none"):
            advice = did_you_mean(word, ["core", "socket", "none"])
            raise source.error((*at, "bindings", word), f"there is no binding '{word}'", "", advice)
    return Template(name, source.place(here), tuple(parts), tuple(section.env), section.bindings)


def _part(written: str | list[str], source: Source, at: KeyPath) -> Part:
    """The words, checked: a field that a launch need not ask for stands in a list, the program alone."""
    words = [written] if isinstance(written, str) else written
    fields = {name for word in words for name in _fields(word, (*_FIELDS, "program"), source, at)}
    if "program" in fields and written != PROGRAM:
        why = "it stands for the program with its arguments, which are words of their own"
        raise source.error(at, "{program} is a part of something else", why, 'write "{program}"')
    if isinstance(written, str) and (optional := fields.intersection(OPTIONAL)):
        (first, *_) = sorted(optional)
        why = f"a launch may ask for no {first}"
        advice = f'put it into a list with its option, which is then left out: ["--option", "{{{first}}}"]'
        raise source.error(at, f"{{{first}}} stands in every command", why, advice)
    return Part(tuple(words), frozenset(fields))


def _fields(word: str, known: tuple[str, ...], source: Source, at: KeyPath) -> Iterator[str]:
    """The fields in the text. Raises WeirError for others than these, and for braces that do not match."""
    try:
        found = list(string.Formatter().parse(word))
    except ValueError as error:
        advice = "write {{ and }} where braces are meant"
        raise source.error(at, f"'{word}' is no text with fields", str(error).lower(), advice) from error
    for _, name, form, conversion in found:
        if name is None:
            continue
        if name not in known or form or conversion:
            spelt = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            advice = did_you_mean(name, known)
            raise source.error(at, f"there is no field {{{spelt}}}", f"known are {', '.join(known)}", advice)
        yield name
