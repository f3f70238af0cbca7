#!/usr/bin/env python3
"""Writes the reference pages that follow from the programs themselves; a test checks that they are fresh.

scripts/make_reference.py           writes docs/reference/command-line.md, remarks.md, machines.md,
                                    options.md and array-options.md
scripts/make_reference.py --check   says which of their sections are out of date, and ends with 1 if any is

A verb, benchmark or back-end that has no section yet is not out of date: adding one edits no existing file.
"""

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer.main

from weir.cli._app import build_app
from weir.core.front_options import FRONT_OPTIONS
from weir.explain.rule import LEAST_OF_RUN, Rule, rules
from weir.simulate.reference import key_tables
from weir.units import format_share, spell_bytes, spell_seconds

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "build/release/bin/weir-core"
ENVIRONMENT = """| environment variable | |
|---|---|
| `WEIR_CORE` | Path of the `weir-core` to use. Default: the one on `PATH`, else the checkout's. |
| `WEIR_SITE` | The whole path of a [site's configuration](site.md), which goes before the other ones. |
| `WEIR_BUDGET_LIMIT` | The longest budget, as "20s", whatever a study or `--budget` says. |
| `WEIR_STALL_LIMIT` | How long the ranks of a launch may make no progress, as "10m". \
Default: 15 s, or five times the launch's expected length if that is longer. |"""
NOTE = "<!-- Made by scripts/make_reference.py; do not edit. -->"


def command_line_page() -> str:
    """All verbs of `weir`, their arguments and options."""
    program = typer.main.get_command(build_app())
    lines = [NOTE, "", "# The command line: `weir`", "", program.help or "", ""]
    lines += ["Every verb has `--help`. Standard output is data, standard error is messages.", ""]
    lines += ["The exit status of a verb: [exit codes](exit-codes.md).", ""]
    lines += [ENVIRONMENT, ""]
    lines += _verb_sections(program, "weir", "##")
    return "\n".join(lines).rstrip() + "\n"


def _verb_sections(group: Any, above: str, marks: str) -> Iterator[str]:
    """A section for each verb, and under it one for each of its commands."""
    for name, verb in sorted(group.commands.items()):
        yield from (f"{marks} `{above} {name}`", "", *_paragraphs(verb.help), "")
        rows = [_parameter_row(parameter) for parameter in verb.params if parameter.name != "help"]
        if rows:
            yield from ("| | default | |", "|---|---|---|", *rows, "")
        if hasattr(verb, "commands"):
            yield from _verb_sections(verb, f"{above} {name}", f"{marks}#")


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
    lines += ["These are the names in studies and case files; on the command line, `_` becomes `-`.", ""]
    lines += ["The types are explained in [protocol](protocol.md).", ""]
    declared = [option for benchmark in schema["benchmarks"] for option in benchmark["options"]]
    of_backends = {option["name"]: option for option in declared if _is_of_backend(option)}
    for benchmark in schema["benchmarks"]:
        lines += [f"## `{benchmark['name']}`", "", benchmark["summary"], ""]
        shared = [option for option in benchmark["options"] if not _is_of_backend(option)]
        for group in dict.fromkeys(option["group"] for option in shared):
            lines += [f"### {group.capitalize()}", ""]
            lines += _option_table([option for option in shared if option["group"] == group])
    lines += ["## Back-ends", ""]
    for backend in schema["backends"]:
        lines += [f"### `{backend['name']}`", "", backend["summary"], ""]
        own = [of_backends[name] for name in backend["options"] if name in of_backends]
        lines += _option_table(own)
    lines += [
        "## Stripes",
        "",
        "Of studies, for every benchmark with `dir`: [stripes](studies.md#stripes).",
        "",
    ]
    lines += _option_table([{"multiple": None, **msgspec.to_builtins(option)} for option in FRONT_OPTIONS])
    return "\n".join(lines).rstrip() + "\n"


def _is_of_backend(option: dict[str, Any]) -> bool:
    """Does it stand in a group such as "mpiio back-end"? A benchmark's own may have the same name."""
    return str(option["group"]).endswith(" back-end")


def plan_options_page(schema: dict[str, Any]) -> str:
    """All options of a plan of the two-phase library."""
    lines = [NOTE, "", "# Options of a plan: the two-phase library", ""]
    lines += [
        'The text that `weir_plan_make()` takes, as `"writers=4 memory=64MiB sync=no"`: words separated by '
        "spaces.",
        "Sizes have a unit; booleans are `true` and `false`, or `yes` and `no`. All ranks pass the same "
        + "text.",
        "",
        "How the planner chooses the others: [the planner](../explanation/planner.md).",
        "",
    ]
    options = schema["plan_options"]
    for group in dict.fromkeys(option["group"] for option in options):
        lines += [f"## {group}", ""]
        lines += _option_table([option for option in options if option["group"] == group])
    return "\n".join(lines).rstrip() + "\n"


def _option_table(options: list[dict[str, Any]]) -> Iterator[str]:
    if options:
        yield from ("| option | type | default | range | |", "|---|---|---|---|---|")
        yield from (_option_row(option) for option in options)
        yield ""


def _option_row(option: dict[str, Any]) -> str:
    default = _spell(option, option["default"])
    kind = f"{option['type']}, {option['reach']}" if option.get("reach") else option["type"]
    cells = [f"`{option['name']}`", kind, default, _range(option), option["help"]]
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _range(option: dict[str, Any]) -> str:
    if option["name"] == "backend":
        return "[back-ends](#back-ends)"
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    low, high = _spell(option, option["min"]), _spell(option, option["max"])
    words = (
        f"{low} to {high}"
        if low and high
        else f"at least {low}"
        if low
        else f"at most {high}"
        if high
        else ""
    )
    multiple = _spell(option, option["multiple"])
    return ", ".join(part for part in (words, f"a multiple of {multiple}" if multiple else "") if part)


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


def remarks_page(known: dict[str, Rule]) -> str:
    """All rules of `weir explain`, as they themselves declare when they speak."""
    lines = [NOTE, "", "# What stands out: the rules", ""]
    lines += [
        "`weir explain` shows what these rules find in a [trace](trace.md) or a "
        "[Darshan log](../how-to/read-darshan-logs.md): on the terminal, on the page, and with `--json`. An "
        "answer has the rule as its question, a subject, a cost, an action, the reason for it, and the "
        "numbers that it rests on (`evidence`; on the terminal with `--all`).",
        "",
        "Answers are ordered by the time of the run that they may explain, an upper bound: of one rank, "
        "where it is known which; otherwise the mean of the ranks that made I/O calls, or the time on the "
        "[critical path](../how-to/read-the-trace-page.md#the-critical-path) where that is more. Several "
        "answers may explain the same time: where their bounds add up to more than the time of the rank that "
        "is the longest in I/O calls (or of the I/O calls on the critical path, where that is more), or of a "
        "log than the run, a caveat says how much they may explain together at the most (`together` with "
        f"`--json`). An answer that may explain less than {format_share(LEAST_OF_RUN)} of the run is left "
        "out. Writes and syncs that failed come first. A rule whose data a trace or log does not have says "
        "nothing.",
        "",
        "| rule | speaks if | where the thresholds are from |",
        "|---|---|---|",
    ]
    lines += [f"| `{name}` | {_cell(rule.speaks)} | {_cell(rule.source)} |" for name, rule in known.items()]
    lines += [
        "",
        "Drishti is [Drishti I/O](https://github.com/hpc-io/drishti-io) 0.8, with its names of thresholds. "
        "The rules "
        "in `python/weir/explain/rules/` have each threshold as a named constant.",
    ]
    return "\n".join(lines).rstrip() + "\n"


def machines_page() -> str:
    """All keys of machine models, as they themselves are declared."""
    lines = [NOTE, "", "# Machine models", ""]
    lines += [
        "A [model](../how-to/predict-on-a-machine.md) is a TOML file with a `name`, a `title`, and the "
        "tables below. Each value says where it is from:",
        "",
        "```toml",
        'write = { value = "60 MB/s", source = "sheet: data sheet of the array, page 2" }',
        "```",
        "",
        "`value` is text with a unit, or a number of what is counted. Bandwidths have bytes (`350 MB/s`, "
        "`1 GiB/s`) or bits (`2 Gb/s`). `source` begins with `paper`, `sheet` (a data sheet, public "
        "documentation), `measured`, `fitted` (to which numbers, how) or `assumed` (why), and a colon. A "
        "value that was measured may have `low`, `high` and `n`: its interval and its samples.",
        "",
        "Keys without a default are needed. A default may be another key's value.",
        "",
        *key_tables(),
    ]
    return "\n".join(lines).rstrip() + "\n"


def pages() -> dict[Path, str]:
    """Every page that can be made now, by its path; those of `weir-core` only where it has been built."""
    made = {
        ROOT / "docs/reference/command-line.md": command_line_page(),
        ROOT / "docs/reference/remarks.md": remarks_page(rules()),
        ROOT / "docs/reference/machines.md": machines_page(),
    }
    if CORE.exists():
        answer = subprocess.run([CORE, "schema"], check=True, capture_output=True, text=True)
        schema = json.loads(answer.stdout)
        made[ROOT / "docs/reference/options.md"] = options_page(schema)
        made[ROOT / "docs/reference/array-options.md"] = plan_options_page(schema)
    return made


def sections(page: str) -> dict[str, str]:
    """The text under each heading, by the heading with those above it."""
    found: dict[str, str] = {}
    above: list[str] = []
    for line in page.splitlines():
        if level := len(line) - len(line.lstrip("#")):
            above = [*above[: level - 1], line]
        key = " ".join(above)
        found[key] = found.get(key, "") + line + "\n"
    return found


def outdated(page: str, made: str) -> list[str]:
    """Headings in the page whose text would be made differently today."""
    new = sections(made)
    return [
        heading for heading, text in sections(page).items() if new.get(heading, "").rstrip() != text.rstrip()
    ]


def main() -> int:
    wrong = 0
    for path, made in pages().items():
        page = path.read_text() if path.exists() else ""
        if "--check" not in sys.argv:
            path.write_text(made)
            continue
        for heading in outdated(page, made) if page else ["all of it"]:
            print(f"{path.relative_to(ROOT)}: {heading}")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
