"""What both comparisons can be told on their command lines."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from weir.launch.base import usable_cores
from weir.units import parse_seconds


def parse(
    about: str, budget: str, quick_budget: str, files: Mapping[str, str] | None = None
) -> argparse.Namespace:
    """The options: directory, ranks, budget in seconds, quick, json; and those that name files, with what
    these are."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--dir", type=Path, default=Path(), help="the storage to measure (default: here)")
    parser.add_argument("--ranks", type=int, default=min(usable_cores(), 4), help="default: cores, at most 4")
    parser.add_argument("--budget", help=f'time for all samples, as "90s" (default: {budget})')
    parser.add_argument("--quick", action="store_true", help=f"fewer cases, in {quick_budget}")
    parser.add_argument("--only", default="", help="only cases with these words in their names")
    parser.add_argument("--json", action="store_true", help="print JSON with every sample")
    for name, what in (files or {}).items():
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=what)
    settings = parser.parse_args()
    settings.budget_s = parse_seconds(settings.budget or (quick_budget if settings.quick else budget))
    return settings


def parser_of_places(about: str) -> argparse.ArgumentParser:
    """A parser with the options of what is measured on a storage and in memory."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(
        "--directory", type=Path, default=Path(), help="the storage beside /dev/shm (default: here)"
    )
    parser.add_argument("--out", type=Path, help="append every sample to this file, as JSON Lines")
    return parser


def wanted(name: str, only: str) -> bool:
    """Whether a case of that name was asked for."""
    return all(word in name.split() for word in only.split())
