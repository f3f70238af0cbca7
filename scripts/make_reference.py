#!/usr/bin/env python3
"""Writes the reference pages that follow from the programs themselves; a test checks that they are fresh.

scripts/make_reference.py           writes docs/reference/command-line.md and docs/reference/options.md
scripts/make_reference.py --check   says which of them are out of date, and ends with 1 if any is
"""

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from weir.cli._app import build_app
from weir.units import spell_bytes, spell_seconds

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "build/release/bin/weir-core"
NOTE = "<!-- Made by scripts/make_reference.py; do not edit. -->"


def command_line_page() -> str:
    """All verbs of `weir`, their arguments and options."""
    program = typer.main.get_command(build_app())
    lines = [NOTE, "", "# The command line: `weir`", "", program.help or "", ""]
    lines += ["Every verb has `--help`. Standard output is data, standard error is talk.", ""]
    lines += ["How a verb ends: [exit codes](exit-codes.md).", ""]
    for name, verb in sorted(program.commands.items()):  # type: ignore[attr-defined]
        lines += [f"## `weir {name}`", "", *_paragraphs(verb.help), ""]
        rows = [_parameter_row(parameter) for parameter in verb.params if parameter.name != "help"]
        if rows:
            lines += ["| | default | |", "|---|---|---|", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


def _paragraphs(help_text: str | None) -> list[str]:
    return inspect.cleandoc(help_text or "").splitlines()


def _parameter_row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = f"`{parameter.metavar or parameter.name.upper()}`"
    else:
        name = ", ".join(f"`{option}`" for option in [*parameter.opts, *parameter.secondary_opts])
    return f"| {name} | {_plain_default(parameter.default)} | {_cell(parameter.help or '')} |"


def _plain_default(value: object) -> str:
    return "" if value in (None, False, ()) or callable(value) else f"`{value}`"


def options_page(schema: dict[str, Any]) -> str:
    """All benchmarks and back-ends of `weir-core` with their options, as the core itself declares them."""
    lines = [NOTE, "", "# Benchmarks, back-ends and their options", ""]
    lines += ["So they are named in studies and case files; on the command line, `_` becomes `-`.", ""]
    lines += ["What the types mean: [protocol](protocol.md).", ""]
    for benchmark in schema["benchmarks"]:
        lines += [f"## `{benchmark['name']}`", "", benchmark["summary"], ""]
        lines += _option_groups(benchmark["options"])
    lines += ["## Back-ends of `storage`", "", "| name | | options that it heeds |", "|---|---|---|"]
    for backend in schema["backends"]:
        heeded = ", ".join(f"`{name}`" for name in backend["options"])
        lines.append(f"| `{backend['name']}` | {_cell(backend['summary'])} | {heeded} |")
    return "\n".join(lines).rstrip() + "\n"


def _option_groups(options: list[dict[str, Any]]) -> Iterator[str]:
    for group in dict.fromkeys(option["group"] for option in options):
        if group:
            yield from (f"### {group.capitalize()}", "")
        yield from ("| option | type | default | range | |", "|---|---|---|---|---|")
        yield from (_option_row(option) for option in options if option["group"] == group)
        yield ""


def _option_row(option: dict[str, Any]) -> str:
    default = _spell(option, option["default"])
    cells = [f"`{option['name']}`", option["type"], default, _range(option), option["help"]]
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _range(option: dict[str, Any]) -> str:
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    low, high = _spell(option, option["min"]), _spell(option, option["max"])
    if low and high:
        return f"{low} to {high}"
    return f"at least {low}" if low else f"at most {high}" if high else ""


def _spell(option: dict[str, Any], value: Any) -> str:
    if value is None or value in ("", []):
        return ""
    if option["type"] == "bytes":
        return f"`{spell_bytes(value)}`"
    if option["type"] == "seconds":
        return f"`{spell_seconds(value)}`"
    return f"`{json.dumps(value)}`" if option["type"] in ("bool", "texts") else f"`{value}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def pages() -> dict[Path, str]:
    """Every page that can be made now, by its path; those of `weir-core` only where it has been built."""
    made = {ROOT / "docs/reference/command-line.md": command_line_page()}
    if CORE.exists():
        answer = subprocess.run([CORE, "schema"], check=True, capture_output=True, text=True)
        made[ROOT / "docs/reference/options.md"] = options_page(json.loads(answer.stdout))
    return made


def main() -> int:
    outdated = {path: text for path, text in pages().items() if not path.exists() or path.read_text() != text}
    for path, text in outdated.items():
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.write_text(text)
    return int("--check" in sys.argv and bool(outdated))


if __name__ == "__main__":
    sys.exit(main())
