"""Machine models by their name, or as files."""

import re
from collections.abc import Mapping
from pathlib import Path

from weir.bounded_parsing import MOST_TOML_BYTES
from weir.errors import WeirError, did_you_mean
from weir.files.named import read_named
from weir.simulate.model import Machine, parse_machine

_NAME_ONE = "name a TOML file, or one of Weir's own machines"


def own_machines() -> dict[str, Path]:
    """Those that Weir brings, by name: next to the package when installed, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "machines", package.parents[1] / "machines"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.toml"))}
    return {}


def find_machine(word: str) -> Machine:
    """The model meant by a path, which has a slash or its ending, or by the name of one of Weir's own. Raises
    WeirError if there is none, or it is not right."""
    if "/" in word or word.endswith(".toml"):
        return load_machine(Path(word))
    own = own_machines()
    if word not in own:
        here = f"for the file write ./{word}" if Path(word).exists() else ""
        raise WeirError(f"there is no machine '{word}'", here, _meant(word, own) or _NAME_ONE)
    return load_machine(own[word])


def _meant(word: str, own: Mapping[str, Path]) -> str:
    """The models whose titles have the words of that name ("ibm-sp" is "IBM SP at Argonne"), else the nearest
    name, else all."""
    words = set(word.lower().replace("_", "-").split("-"))
    titles = {name: load_machine(path).file.title for name, path in own.items()}
    found = [name for name, title in titles.items() if words <= set(re.findall(r"\w+", title.lower()))]
    several = " or ".join(f"{name} ({titles[name]})" for name in found)
    return f"did you mean {several}?" if found else did_you_mean(word, own)


def load_machine(path: Path) -> Machine:
    """The model in that file."""
    content = read_named(path, MOST_TOML_BYTES, "the machine", _NAME_ONE)
    try:
        return parse_machine(content.decode(), str(path))
    except UnicodeDecodeError as error:
        why = f"it is no UTF-8 (byte {error.start})"
        raise WeirError(f"cannot read the machine '{path}'", why, _NAME_ONE) from error
