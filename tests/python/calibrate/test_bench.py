"""What was written is synced before it is read, outside the timing of either; all ranks are on one node."""

from pathlib import Path

import msgspec

from weir.calibrate.bench import SETTLE
from weir.pattern import Pattern

from .simulation import Stage, play, usual


def test_the_sync_is_a_phase_of_its_own(tmp_path: Path) -> None:
    play(tmp_path, Stage(usual()))
    path, *_ = tmp_path.glob("cached-*-pattern.json")
    first, sync, last = msgspec.json.decode(path.read_bytes(), type=Pattern).phases
    assert (first.name, last.name) == ("write", "read")
    assert sync == SETTLE and sync.name == "settle"
    opened, synced, closed = sync.steps
    assert opened.open
    assert opened.open.mode == "update"
    assert synced.sync
    assert closed.close


def test_all_ranks_are_on_the_node_whose_cache_is_searched(tmp_path: Path) -> None:
    """A launcher that knows of several nodes would spread them, and each cache would hold a part."""
    stage = Stage(usual())
    play(tmp_path, stage)
    assert {(spec.nodes, spec.ranks_per_node) for spec in stage.asked} == {(1, stage.machine.ranks)}
