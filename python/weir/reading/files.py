"""The files that a person names, each read by whatever reader recognises it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weir.bounded_parsing import MIB
from weir.errors import WeirError
from weir.files.named import read_named
from weir.reading.reader import reader_of, readers
from weir.reading.result import ReadLaunch

MOST_BYTES = 32 * MIB
ADVICE = "name files with the standard output of such a benchmark"


@dataclass(frozen=True)
class Named:
    """A file, and what the person calls the machine, or whatever else sets its results apart; null for
    nothing."""

    path: Path
    name: str | None = None


@dataclass(frozen=True)
class FileRead:
    """A file's launches, and the bytes that they were read from."""

    named: Named
    tool: str
    content: bytes
    launches: Sequence[ReadLaunch]

    @property
    def sha256(self) -> str:
        """By which the file can be recognised."""
        return sha256(self.content).hexdigest()


def named(word: str) -> Named:
    """The file of a word such as "a.txt", or "sx8=a.txt" with a name. Raises WeirError for a name without a
    file, or a file without the name that it was to have."""
    name, equals, path = word.partition("=")
    if not equals or Path(word).exists():
        return Named(Path(word))
    if not name or not path:
        raise WeirError(
            f"'{word}' is no NAME=FILE", "one of them is missing", 'write for example "sx8=a.txt"'
        )
    return Named(Path(path), name)


def read_files(all_named: Iterable[Named]) -> list[FileRead]:
    """All of them, before anything is made of any. Raises WeirError for one that cannot be read, is no such
    output, or is there twice."""
    found = [_read(one) for one in all_named]
    _check_distinct(found)
    if not any(launch.samples for one in found for launch in one.launches):
        names = ", ".join(f"'{one.named.path}'" for one in found)
        left = [left.why for one in found for launch in one.launches for left in launch.left_out]
        why = next((why for why in left if "{file}" not in why), "it ends before the first one")
        raise WeirError(f"there is no result in {names}", why, ADVICE)
    return found


def _read(one: Named) -> FileRead:
    tools = " or ".join(reader.what for reader in readers())
    content = read_named(one.path, MOST_BYTES, "the results", ADVICE)
    reader = reader_of(text := content.decode("utf-8", "replace"))
    if reader is None:
        why = "it is empty" if not content.strip() else f"it is no output of {tools}"
        raise WeirError(f"cannot read the results '{one.path}'", why, ADVICE)
    return FileRead(one, reader.what, content, reader.read(text))


def _check_distinct(found: Sequence[FileRead]) -> None:
    """Raises WeirError where a launch is there twice: its samples would count twice."""
    seen: dict[object, Path] = {}
    launches = [(one.named.path, launch) for one in found for launch in one.launches if launch.samples]
    for path, launch in launches:
        if launch.fingerprint in seen:
            raise WeirError(
                f"'{path}' has results that are in '{seen[launch.fingerprint]}' too",
                "they would count twice",
                "leave one of them out",
            )
        seen[launch.fingerprint] = path
