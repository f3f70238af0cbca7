"""A signal that asks Weir to stop before its verb has begun ends it as a later one does."""

import os
import signal
import subprocess

import pytest

from verbs import WEIR


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_while_the_verbs_are_loaded_is_told(number: signal.Signals) -> None:
    # As a shell starts it: who runs this test may have the signal ignored (nohup).
    handler = "default_int_handler" if number == signal.SIGINT else "SIG_DFL"
    program = f"""
import os, signal, sys
from weir.cli import main

class Early:
    def find_spec(self, name, path=None, target=None):
        if name == 'weir.cli._app':
            os.kill(os.getpid(), {int(number)})
        return None

signal.signal({int(number)}, signal.{handler})
sys.meta_path.insert(0, Early())
main.main()
"""
    command = [WEIR[0], "-c", program, "list"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ, check=False)
    assert (done.returncode, done.stderr) == (130, "weir: interrupted; what was finished is kept\n")
