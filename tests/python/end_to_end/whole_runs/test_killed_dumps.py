"""An application that is killed while it dumps: what it has left unfinished is in nobody's way."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..interrupting import Patience, interrupted
from ..real_core import names_in, run_core
from ..storage.test_formats import need_backends

AQUIFER = "--cells 40x30x20 --model analytic --wait 0"
STEPS = 50
"""Of a run to kill: memory is touched for all its dumps before it begins."""
RUNS = {
    "flash": ("--levels 3 --adapt-every 100 --dump-every 1 --files checkpoint", "flash_hdf5_chk.part"),
    "flash-io": ("--blocks 200", ""),
    "cloud": ("--cells 64x64x64 --no-physics --dump-every 1", "restart.weir-part"),
    "aquifer": (f"{AQUIFER} --files per-step", ""),
    "aquifer in one file": (f"{AQUIFER} --files one", ""),
}
"""The options of each, with dumps that take most of its time, and a file that is there only within a dump."""


def command(name: str, steps: int) -> tuple[str, ...]:
    """The command line of such a run."""
    application = name.split(maxsplit=1)[0]
    end = () if application == "flash-io" else ("--steps", str(steps))
    return (application, *RUNS[name][0].split(), "--dir", "store", *end)


def killed(name: str, ranks: int) -> None:
    """Such a run, killed in a dump."""
    begun = listed(name.split(maxsplit=1)[0], RUNS[name][1])
    patience = Patience(begin_s=60, before_s=0, end_s=60)
    done = interrupted(
        *command(name, STEPS), ranks=ranks, begun=begun, patience=patience, stop=signal.SIGKILL
    )
    assert done.code != 0


def listed(application: str, unfinished: str) -> Callable[[], bool]:
    """Whether such a file is there, and the run has listed it."""
    store = Path("store")

    def is_listed() -> bool:
        try:
            inodes = [(store / unfinished).stat().st_ino] if unfinished else []
            known = (store / f".weir-{application}.begun").read_text()
        except FileNotFoundError:
            return False
        return all(f"[{inode}," in known for inode in inodes)

    def was_caught() -> bool:
        """Looks without a pause: the file may be there for a millisecond."""
        deadline = time.monotonic() + 1
        while not (found := is_listed()) and time.monotonic() < deadline:
            pass
        return found

    return was_caught


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("name", RUNS)
def test_the_same_command_runs_after_a_kill_in_a_dump(place: Path, name: str, ranks: int) -> None:
    need_backends("hdf5")
    killed(name, ranks)
    run_core(*command(name, 2), ranks=ranks).ended(0)
    left = names_in("store")
    assert not [one for one in left if one.endswith(("part", ".begun"))]


def test_a_file_that_got_the_name_later_is_not_touched(place: Path) -> None:
    killed("cloud", 1)
    mine = Path("store/restart.weir-part")
    mine.unlink(missing_ok=True)
    mine.write_text("mine")
    assert "is not touched" in run_core(*command("cloud", 2)).ended(3).failure()["problem"]
    assert mine.read_text() == "mine"
