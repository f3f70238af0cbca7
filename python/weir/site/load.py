"""Reads the configuration files of a site, one over the other, and says of each setting where it is from."""

import os
import pwd
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.errors import WeirError
from weir.site.places import is_there, places, read
from weir.site.schema import SiteFile
from weir.site.template import LauncherSection, Template, template_of
from weir.toml.shape import read_toml, shaped
from weir.toml.source import KeyPath, Source
from weir.units import parse_seconds, parse_share


@dataclass(frozen=True)
class JobDefaults:
    """How jobs are handed to the batch system; None and empty where no file says."""

    system: str | None = None
    account: str | None = None
    partition: str | None = None
    longest_s: float | None = None
    modules: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Directories:
    """Absolute paths, which need not be there; None where no file says."""

    runs: Path | None = None
    scratch: Path | None = None


@dataclass(frozen=True)
class Thresholds:
    """As written; None where no file says."""

    matters: str | None = None
    assume: str | None = None
    fail_on: str | None = None


@dataclass(frozen=True)
class Setting:
    """What holds: its key as "job.account", its value as written, and the file and line that it is from."""

    key: str
    value: Any
    file: str
    line: int | None

    @property
    def place(self) -> str:
        """For messages."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Site:
    """What holds here, of all files together."""

    launcher: str | None = None
    job: JobDefaults = JobDefaults()
    directories: Directories = Directories()
    thresholds: Thresholds = Thresholds()
    launchers: Mapping[str, Template] = field(default_factory=dict)
    """Of the site's own, by name."""
    files: tuple[Path, ...] = ()
    """That were found, an earlier one overriding a later one."""
    settings: tuple[Setting, ...] = ()

    def place(self, key: str) -> str:
        """The file and line that a setting is from."""
        return next(one.place for one in self.settings if one.key == key)


def site() -> Site:
    """What holds here, read anew each time. Raises WeirError, with file and line, for a file that is not
    right."""
    return load_site(os.environ)


def load_site(environment: Mapping[str, str]) -> Site:
    """The same for that environment."""
    return site_of({path: read(path) for path in files_of(environment)}, environment)


def files_of(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The files that there are, an earlier one overriding a later one. Raises WeirError where WEIR_SITE names
    no absolute path."""
    return tuple(path for path in places(environment) if is_there(path, environment))


def site_of(texts: Mapping[Path, str], environment: Mapping[str, str]) -> Site:
    """What these files set together, an earlier one overriding a later one key by key."""
    merged = _Merged()
    for path, text in reversed(list(texts.items())):
        merged.add(*_checked(path, text))
    file = msgspec.convert(merged.tables, SiteFile)
    job, thresholds = file.job, file.thresholds
    return Site(
        launcher=file.launcher or None,
        job=JobDefaults(
            system=job.system,
            account=job.account or None,
            partition=job.partition or None,
            longest_s=parse_seconds(job.longest) if job.longest else None,
            modules=tuple(job.modules or ()),
            setup=tuple(job.setup or ()),
            options=tuple(job.options or ()),
        ),
        directories=Directories(
            *(merged.directory(("directories", name), environment) for name in ("runs", "scratch"))
        ),
        thresholds=Thresholds(thresholds.matters, thresholds.assume, thresholds.fail_on),
        launchers={name: merged.launcher(name) for name in file.launchers},
        files=tuple(texts),
        settings=merged.settings(),
    )


def _checked(path: Path, text: str) -> tuple[dict[str, Any], Source]:
    """The tables of one file, whose shape and values are right."""
    data, source = read_toml(text, str(path), 'launcher = "srun"')
    _check_lines(data, source, ())
    file = shaped(data, SiteFile, source)
    if file.job.longest:
        at = ("job", "longest")
        with source.placing(at):
            longest_s = parse_seconds(file.job.longest)
        if longest_s <= 0:
            why = "no job ends that soon"
            raise source.error(at, f"longest is {file.job.longest}", why, 'write for example longest = "12h"')
    for key in ("matters", "assume"):
        share = getattr(file.thresholds, key)
        if share is not None:
            at = ("thresholds", key)
            with source.placing(at):
                is_less = parse_share(share) < 1
            if not is_less:
                why = "it must be less than 100 %"
                raise source.error(at, f"{key} is {share}", why, f'write for example {key} = "5%"')
    return data, source


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def _check_lines(value: Any, source: Source, at: KeyPath) -> None:
    """Each text becomes a word or a line of a job's script, where a line break would begin another one."""
    if isinstance(value, str) and _CONTROL.search(value):
        why = "each text is one line of a script"
        raise source.error(at, f"{value!r} holds a control character", why, "write each line as a text")
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        _check_lines(one, source, (*at, key))


@dataclass
class _Merged:
    """Tables of several files, the later ones that are added over the earlier ones."""

    tables: dict[str, Any] = field(default_factory=dict)
    _from: dict[KeyPath, Source] = field(default_factory=dict)
    _tables_from: dict[KeyPath, Source] = field(default_factory=dict)

    def add(self, data: Mapping[str, Any], source: Source) -> None:
        self._add(self.tables, data, source, ())

    def _add(self, into: dict[str, Any], data: Mapping[str, Any], source: Source, at: KeyPath) -> None:
        for key, value in data.items():
            path = (*at, key)
            if isinstance(value, dict):
                self._tables_from[path] = source
                self._add(into.setdefault(key, {}), value, source, path)
            else:
                into[key], self._from[path] = value, source

    def value(self, path: KeyPath) -> Any:
        """What is set there; None where nothing is."""
        found: Any = self.tables
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    def source(self, path: KeyPath) -> Source:
        """The file that sets it."""
        return self._from[path]

    def directory(self, path: KeyPath, environment: Mapping[str, str]) -> Path | None:
        """The path that is set there, with what its variables hold."""
        text = self.value(path)
        if not text:
            return None
        source, key = self.source(path), path[-1]
        with source.placing(path):
            found = Path(_with_variables(text, environment))
        if not found.is_absolute():
            raise source.error(
                path,
                f"{key} is '{text}'",
                "it is no absolute path, and would be another folder in each directory",
                f'write for example {key} = "$HOME/weir"',
            )
        return found

    def launcher(self, name: str) -> Template:
        """The site's own launcher of that name."""
        path = ("launchers", name)
        source = self._from.get((*path, "command")) or self._tables_from[path]
        return template_of(name, shaped(self.value(path), LauncherSection, source, path), source, path)

    def settings(self) -> tuple[Setting, ...]:
        """All, in the order of the files, the first one's first."""
        return tuple(
            Setting(".".join(map(str, path)), self.value(path), source.file, source.line(path))
            for path, source in sorted(self._from.items(), key=lambda one: str(one[0]))
        )


_OF_ENVIRONMENT = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def _with_variables(text: str, environment: Mapping[str, str]) -> str:
    def held(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        value = environment.get(name) or _of_the_user(name)
        if not value:
            raise WeirError(
                f"'{text}' names the variable {name}", "it is not set", "set it, or write the path without it"
            )
        return value

    return _OF_ENVIRONMENT.sub(held, text)


def _of_the_user(name: str) -> str:
    """What the system's list of users says, where a batch system starts jobs without these variables."""
    with suppress(KeyError):
        entry = pwd.getpwuid(os.geteuid())
        return {"USER": entry.pw_name, "HOME": entry.pw_dir}.get(name, "")
    return ""
