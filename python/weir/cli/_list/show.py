"""What there is to choose from, for people."""

import sys
from typing import Any

import msgspec

from weir.cli._output import print_table
from weir.core.schema import Option
from weir.study.values import spell_value


def show_overview(found: dict[str, Any]) -> None:
    """Print everything by name."""
    benchmarks = [[b["name"], f"{len(b['options'])} options", b["summary"]] for b in found["benchmarks"]]
    print_table(("benchmark", "", "~"), benchmarks)
    for heading, key, text in (
        ("back-end", "backends", "summary"),
        ("left out", "backends_left_out", "reason"),
        ("launcher", "launchers", "summary"),
        ("study", "studies", "title"),
    ):
        if found[key]:
            print_table((heading, "~"), [[entry["name"], entry[text]] for entry in found[key]])
    sys.stdout.write(f"figures: {', '.join(found['figures']) or 'none'}\n\n")
    sys.stdout.write("`weir list BENCHMARK` shows a benchmark's options.\n")


def show_benchmark(benchmark: dict[str, Any]) -> None:
    """Print the options of a benchmark as a study writes them."""
    options = [msgspec.convert(option, Option) for option in benchmark["options"]]
    rows = [
        [
            option.group or "",
            option.name,
            option.type,
            _spell(option, option.default),
            _range(option),
            option.help,
        ]
        for option in options
    ]
    headings = ("group", "option", "type", "default", "~range", "~what it is")
    print_table(headings, rows, title=f"{benchmark['name']}: {benchmark['summary']}")


def _range(option: Option) -> str:
    if option.choices:
        return ", ".join(option.choices)
    match option.min, option.max:
        case None, None:
            return ""
        case low, None:
            return f"from {_spell(option, low)}"
        case None, high:
            return f"up to {_spell(option, high)}"
        case low, high:
            return f"{_spell(option, low)} … {_spell(option, high)}"


def _spell(option: Option, value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return spell_value(option, value)
