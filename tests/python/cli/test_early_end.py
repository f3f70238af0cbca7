"""A signal that asks Weir to stop before its verb has begun ends it as a later one does."""

import os
import signal
import subprocess

import pytest

from verbs import WEIR


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_while_the_verbs_are_loaded_is_told(number: signal.Signals) -> None:
    # What it loads first of all stops it there.
    early = "import os, sys; from weir.cli import main; sys.meta_path.insert(0, Early()); main.main()"
    finder = (
        "class Early:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'weir.cli._app':\n"
        f"            os.kill(os.getpid(), {int(number)})\n"
        "        return None\n"
    )
    program = finder + early.replace("; ", "\n")
    command = [WEIR[0], "-c", program, "list"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ, check=False)
    assert (done.returncode, done.stderr) == (130, "weir: interrupted; what was finished is kept\n")
