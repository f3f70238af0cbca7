"""The package with the real library: all of `cases` in one launch of four ranks, each case a test here."""

import json
import os
import sys
from pathlib import Path

import pytest

from running import ended
from weir.errors import WeirError
from weir.launch.base import LaunchSpec
from weir.launch.mpirun import Mpirun

FOLDER = Path(__file__).parent
LIBRARY = FOLDER.parents[2] / "build" / "release" / "lib" / "libweir_array.so.0"
NAMES = [
    line.removeprefix("def case_").partition("(")[0]
    for line in (FOLDER / "cases.py").read_text().splitlines()
    if line.startswith("def case_")
]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What went wrong in each case, on each rank: nothing, or a traceback."""
    for needed in ("mpi4py", "numpy"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: pip install -e '.[array]'")
    if not LIBRARY.exists():
        pytest.skip(f"{LIBRARY} is not built")
    launcher = Mpirun()
    try:
        launcher.prepare()
    except WeirError as error:
        pytest.skip(str(error))
    command = launcher.command(LaunchSpec(ranks=4), (sys.executable, str(FOLDER / "cases.py")))
    env = {**os.environ, **command.env, "WEIR_ARRAY_LIBRARY": str(LIBRARY)}
    folder = tmp_path_factory.mktemp("ranks")
    done = ended("timeout", "600", *command.argv, cwd=folder, env=env, timeout=None)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["case"]: line["failures"] or [] for line in lines} | {
        name: [f"it did not end; exit code {done.returncode}: {done.stderr[-2000:]}"]
        for name in NAMES
        if name not in {line["case"] for line in lines}
    }


@pytest.mark.parametrize("name", NAMES)
def test_on_four_ranks(name: str, outcomes: dict[str, list[str]]) -> None:
    assert not outcomes[name], "\n".join(outcomes[name])
