"""A machine model as TOML again."""

import json
import re
from typing import Any

import msgspec

from weir.simulate.model import Machine
from weir.simulate.schema import tables

FITTED = ", fitted"
"""The end of a title."""


def legal_name(stem: str) -> str:
    """A model's name, of a file's: other letters become hyphens."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", stem).strip("-._") or "machine"


def machine_text(machine: Machine, name: str = "", *, fitted: bool = False) -> str:
    """The text of a file. Reading it gives the same machine, under another name if there is one; the title of
    one that was `fitted` says so."""
    tree: dict[str, Any] = msgspec.to_builtins(machine.file)
    title = machine.file.title
    if fitted and not title.endswith(FITTED):
        title += FITTED
    lines = [f"name = {_word(name or machine.name)}", f"title = {_word(title)}"]
    for place, _ in tables():
        table: Any = tree
        for step in place:
            table = table.get(step, {})
        values = {key: one for key, one in table.items() if "value" in one}
        if values:
            lines += ["", f"[{'.'.join(place)}]", *(f"{key} = {_given(one)}" for key, one in values.items())]
    return "\n".join(lines) + "\n"


def _given(one: dict[str, Any]) -> str:
    return f"{{ {', '.join(f'{key} = {_word(value)}' for key, value in one.items())} }}"


def _word(value: Any) -> str:
    # A JSON string is a TOML one, but for the delete character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
