"""`weir network refine` with the real core."""

import json
from pathlib import Path

from messages import THREE
from network.made_run import INFO, case, launch, sample
from verbs import weir_process
from weir.network.loggp import Call

STUDY = """
[study]
name = "network-model"
budget = "1m"
probe_state = false
min_samples = 8
[fixed]
benchmark = "network"
ranks = 2
budget = "1ms"
[[comparison]]
name = "sizes"
axes = { bytes = ["0B", "512B", "1KiB", "2KiB", "4KiB", "8KiB", "16KiB"] }
"""


def write_run_that_jumps(folder: Path, store: Path) -> None:
    """PingPong of a made-up machine, whose protocol switches between 2 and 4 KiB."""
    pings = [Call("PingPong", size) for size in (0, 512, 1024, 2048, 4096, 8192, 16384)]
    lines = [case(ping) for ping in pings] + [launch(number) for number in range(12)]
    lines += [sample(ping, number, THREE.one_way(ping.bytes)) for ping in pings for number in range(12)]
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps({**INFO, "directory": str(store)}))
    (folder / "study.toml").write_text(STUDY)
    (folder / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_sizes_without_samples_are_not_called_measured(place: Path) -> None:
    write_run_that_jumps(place / "RUN", place / "store")
    done = weir_process("network", "refine", "RUN", "--budget", "1ms", "--progress", "none")
    assert done.stdout.startswith("no sample counts for 7 more sizes"), (done.stdout, done.stderr)
    assert done.returncode == 5
