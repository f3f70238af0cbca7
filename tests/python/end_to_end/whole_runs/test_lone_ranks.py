"""The launcher of another MPI starts ranks that each believe to be alone: none of them measures anything."""

import json
import os
import subprocess
from pathlib import Path

from ..real_core import core_command, names_in


def test_ranks_that_believe_to_be_alone_refuse_to_measure(place: Path) -> None:
    argv = core_command("storage", "--dir", "store").argv
    started = [
        subprocess.Popen(
            argv,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PMI_SIZE": "2", "PMI_RANK": str(rank)},
        )
        for rank in range(2)
    ]
    for process in started:
        out, talk = process.communicate(timeout=30)
        assert process.returncode == 2, talk
        (failure,) = (json.loads(line) for line in out.splitlines())
        assert (failure["kind"], failure["case"], failure["exit_code"]) == ("failure", None, 2)
        assert "believes to be alone" in failure["problem"]
        assert failure["suggestion"]
        assert "believes to be alone" in talk
    assert names_in("store") == []
