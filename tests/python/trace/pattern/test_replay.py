"""A pattern carried out under the recorder gives a trace whose pattern does the same."""

import json
import os
from pathlib import Path
from typing import Any

from running import ended
from weir.trace.load import load_trace
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern

from ..programs import RECORDER, need
from .expansion import core_or_skip, expand

HEAD = {"rank_levels": [], "order": {"kind": "sequential"}, "sync_each": False}
ALONE = {"first": 0, "count": 1, "step": 1}


def writes(start: int, levels: list[tuple[int, int]], length: int, **rest: Any) -> dict[str, Any]:
    nest = [{"count": count, "stride": stride} for count, stride in levels]
    extent = {"start": start, "levels": nest, "length": length}
    return {"access": {"verb": "write", "ranks": ALONE, "extent": extent, **EACH, **HEAD, **rest}}


EACH = {"file": 0, "file_advance": [1]}
DUMP = [
    {"open": {"mode": "create", **EACH}},
    writes(0, [], 100),
    writes(512, [(3, 10000), (5, 1000)], 400, advance=[50]),
    {"sync": EACH},
    {"close": EACH},
]
LIMITS = {"time_limit_s": 0, "wear_out": False, "limited_by": ""}
PHASE = {"name": "write 1", "collective": False, "reorder": {"kind": "none"}, **LIMITS}
PATTERN = {
    "weir_pattern": 1,
    "name": "loops",
    "ranks": 1,
    "files": [{"name": f"dump{i}", "per_rank": False} for i in range(4)],
    "phases": [{**PHASE, "steps": [{"repeat": {"count": 4, "steps": DUMP}}]}],
}


def test_what_a_pattern_does_is_recognised_again(tmp_path: Path) -> None:
    core = core_or_skip()
    need()
    original, again, folder = tmp_path / "P.json", tmp_path / "Q.json", tmp_path / "trace"
    folder.mkdir()
    original.write_text(json.dumps(PATTERN))
    only = {"WEIR_TRACE_ONLY": str(tmp_path / "weir-")}
    recorder = {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(folder), **only}
    command = [core, "storage", "--pattern", original, "--backend", "posix", "--dir", tmp_path]
    done = ended(*command, cwd=tmp_path, env={**os.environ, **recorder})
    assert done.returncode == 0, done.stdout + done.stderr
    write_pattern(recognise(load_trace(folder), None, None), again)
    (first,), (second,) = expand(original, 1), expand(again, 1)
    assert [(verb, f"weir-{file}", *rest) for verb, file, *rest in first] == second
    assert len(json.loads(again.read_text())["phases"][0]["steps"]) == 1
