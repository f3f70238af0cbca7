"""A run whose nodes nobody knows has no place of rates per node."""

from pathlib import Path

from rows import row
from weir.compare.profile import Profile, read_profile
from weir.io500.background import files_of
from weir.io500.standing import Own, standings
from weir.io500.submissions import find_submissions

from .made_submissions import ior, submit, summary


def background(folder: Path) -> list[Profile]:
    submit(folder / "submission-1", summary(), clients=ior(nodes=10, tasks=20, per_node=2))
    ((name, content),) = files_of(find_submissions(folder).submissions)
    (folder / name).write_bytes(content)
    return [read_profile(folder / name)]


def test_of_unknown_nodes_of_ones_own_there_is_no_place_per_node(tmp_path: Path) -> None:
    own = row("write", 1024.0, layout="file-per-process")
    (one,) = standings(Own("mine", (own,), None), (background(tmp_path), 0)).phases
    assert one.nodes == (10, 10, 10) and one.per_node is None
