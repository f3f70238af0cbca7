"""A machine evaluated by the real core, in less time than its parts need."""

import json
from pathlib import Path

from verbs import weir_ended
from weir.launch.base import usable_cores


def test_parts_are_measured_and_what_this_machine_cannot_is_told(place: Path) -> None:
    done = weir_ended(
        "evaluate", "store", "--only", "memory,network", "--budget", "6s", "--out", "run", "--json"
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    answers = {one["shown"]["title"]: one for one in told["headline"]["answers"]}
    network = "Network" if "Network" in answers else "Within a node"  # where some were measured
    assert answers.keys() >= {"Memory", network} and "Storage" not in answers
    assert {row["benchmark"] for row in told["rows"] if row["samples"]} <= {"stream", "network", "rings"}
    assert any(row["samples"] for row in told["rows"])  # of which part, is left to how busy the machine is
    if usable_cores() == 1:
        assert answers[network]["action"] == "not-here"
    else:
        assert answers[network]["action"] in ("no-time", "more-samples", None)
    assert (place / "run" / "report.html").exists()
