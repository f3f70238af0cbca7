"""The page's JavaScript: the modules of assets/ in one script: a page without a server cannot import."""

import re
from importlib import resources

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def joined(entry: str = "main.js") -> str:
    """A module with all that it imports before it. Each has a scope of its own, and hands out its exports."""
    done: dict[str, str] = {}
    _add(entry, done)
    return "\n".join(done.values())


def _add(name: str, done: dict[str, str]) -> None:
    text = asset(name)
    for needed in _IMPORT.findall(text):
        if needed not in done:
            _add(needed, done)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    done[name] = f"const {{ {exports} }} = (() => {{\n{body}return {{ {exports} }};\n}})();"


def asset(name: str) -> str:
    """A file of assets/."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")
