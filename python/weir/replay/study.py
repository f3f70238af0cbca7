"""The study of one case that a replay is."""

from __future__ import annotations

import json
from pathlib import Path

from weir.replay.prepared import Prepared
from weir.replay.wish import Wish
from weir.study.load import Study, parse_study
from weir.units import spell_seconds

NAME = "replay"


def replay_study(wish: Wish, prepared: Prepared, pattern_path: Path) -> Study:
    """A study whose one case carries out the pattern in that file, so often as was asked for."""
    title = f"Replay of {wish.pattern.name} through {wish.backend}"
    lines = [
        "[study]",
        f'name = "{NAME}"',
        f"title = {_quoted(title)}",
        f'budget = "{spell_seconds(wish.budget_s)}"',
        f"min_samples = {wish.repetitions}",
        f"max_samples = {wish.repetitions}",
        "[fixed]",
        'benchmark = "storage"',
        f"backend = {_quoted(wish.backend)}",
        f"ranks = {prepared.ranks}",
        f"pattern = {_quoted(str(pattern_path))}",
        "[[comparison]]",
        f'name = "{NAME}"',
    ]
    return parse_study("\n".join(lines) + "\n", f"{NAME}.toml")


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    return json.dumps(text)
