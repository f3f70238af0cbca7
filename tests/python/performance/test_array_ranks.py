"""The real ranks of `scripts/bench array`: each contender of this build writes the array where it belongs."""

import contextlib
from pathlib import Path

import pytest
from peers.array.cases import Case, Place
from peers.array.contenders import PROGRAM, Contender, ask_contenders, by_launch
from peers.array.server import Server
from peers.launch import LaunchFailed

from weir.launch.base import Launcher, LaunchSpec, find_launcher

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="it is not built")
GROUPS = by_launch(ask_contenders(PROGRAM)[0]) if PROGRAM.exists() else []


@pytest.fixture(name="mpirun", scope="module")
def _mpirun() -> Launcher:
    found = find_launcher("mpirun")
    found.prepare()
    return found


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: "+".join(one.name for one in group))
def test_what_is_written_is_the_array(group: list[Contender], mpirun: Launcher, tmp_path: Path) -> None:
    spec = LaunchSpec(2, env=group[0].environment, mpi_io=group[0].mpi_io)
    if mpirun.lacks(spec):
        pytest.skip("this MPI has no such MPI-IO")
    case = Case(21, 2, "2x1x1", Place("here", tmp_path, cached=False))
    with contextlib.closing(Server(mpirun, spec, case.program(PROGRAM))) as ranks:
        for one in group:
            assert ranks.ask("verify", one.name, tmp_path / "an array")["verified"]
            answer = ranks.ask("write", one.name, tmp_path / "an array")
            assert answer["seconds"] > 0
        with pytest.raises(LaunchFailed, match="no contender 'nobody'"):
            ranks.ask("write", "nobody", tmp_path / "an array")


def test_ranks_that_end_are_a_failure_with_their_words(mpirun: Launcher, tmp_path: Path) -> None:
    case = Case(21, 2, "2x2x1", Place("here", tmp_path, cached=False))
    ranks = Server(mpirun, LaunchSpec(2), case.program(PROGRAM))
    with contextlib.closing(ranks), pytest.raises(LaunchFailed, match="a grid of 4 ranks for 2"):
        ranks.ask("write", "bound", tmp_path / "an array")
