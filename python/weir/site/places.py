"""Where configuration files of a site are looked for: never in the current directory, which may be
anybody's."""

import os
import pwd
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import weir
from weir.bounded_parsing import MOST_TOML_BYTES, read_at_most
from weir.errors import WeirError
from weir.files.named import open_named
from weir.files.permission import is_trusted

VARIABLE = "WEIR_SITE"
_NAME = Path("weir") / "site.toml"
_WHAT = "the site's configuration"


def places(environment: Mapping[str, str], package: Path = Path(weir.__file__).parent) -> tuple[Path, ...]:
    """Where to look, first to last: an earlier file overrides a later one. Raises WeirError where WEIR_SITE
    names no absolute path."""
    found = [
        _named(environment),
        _own(environment),
        _prefix(package) / "etc" / _NAME,
        Path("/etc") / _NAME,
    ]
    return tuple(dict.fromkeys(path for path in found if path is not None))


def _named(environment: Mapping[str, str]) -> Path | None:
    given = environment.get(VARIABLE, "")
    if given and not Path(given).is_absolute():
        raise WeirError(
            f"{VARIABLE} is '{given}'",
            "that is no absolute path, and would be another file in each directory",
            f"set it to the whole path, as {VARIABLE}=/opt/weir/site.toml, or unset it",
        )
    return Path(given) if given else None


def _own(environment: Mapping[str, str]) -> Path | None:
    """The person's own. A folder that is no absolute path is to be passed over (XDG Base Directory)."""
    folder = Path(environment.get("XDG_CONFIG_HOME", ""))
    if not folder.is_absolute():
        folder = Path(environment.get("HOME", "")) / ".config"
    return folder / _NAME if folder.is_absolute() else None


def _prefix(package: Path) -> Path:
    """Under which Weir is installed: PREFIX of PREFIX/lib/python3.11/site-packages/weir."""
    for folder in package.parents:
        if folder.name.startswith("python3") and folder.parent.name in ("lib", "lib64"):
            return folder.parent.parent
    return Path(sys.prefix)


def is_there(path: Path, environment: Mapping[str, str]) -> bool:
    """Whether a file is to be read: the one that WEIR_SITE names always, for its absence is an error."""
    return os.path.lexists(path) or path == _named(environment)


def read(path: Path) -> str:
    """What the file holds. Raises WeirError where it cannot be read, or where others than root and the caller
    can write to it: what it says is run."""
    advice = f"mend it or take it away, or name another one by {VARIABLE}"
    with open_named(path, _WHAT, advice) as file:
        _check_trusted(path, file)
        try:
            return read_at_most(file, MOST_TOML_BYTES, path).decode()
        except UnicodeDecodeError as error:
            raise WeirError(
                f"cannot read {_WHAT} '{path}'", f"it is no UTF-8 (byte {error.start})", advice
            ) from error


def _check_trusted(path: Path, file: BinaryIO) -> None:
    facts = os.fstat(file.fileno())
    problem = f"cannot rely on {_WHAT} '{path}'"
    if not is_trusted(facts.st_uid):
        raise WeirError(
            problem,
            f"it belongs to {_user(facts.st_uid)}, and its lines are run",
            f"make it root's or your own, or set {VARIABLE} to a copy of yours",
        )
    if facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        who = "everybody" if facts.st_mode & stat.S_IWOTH else "its group"
        raise WeirError(
            problem,
            f"{who} can write to it (mode {stat.S_IMODE(facts.st_mode):o}), and its lines are run",
            f"take that away: chmod go-w '{path}'",
        )


def _user(number: int) -> str:
    with suppress(KeyError):
        return f"user {pwd.getpwuid(number).pw_name}"
    return f"user {number}"
