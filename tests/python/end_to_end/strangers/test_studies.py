"""A study that another user sent, run by root: it loads no code and reads and writes no file of its choice
unless that is allowed; planning it does neither."""

import json
from pathlib import Path

import pytest

from others import give_away, needs_root
from running import ended

from ..conftest import CORE, WEIR
from ..real_programs import run
from .test_planted_code import LIBRARY, LOADED

REACHES = {
    "code": {"also_dir": "directory", "blas": "code", "library": "code", "transforms": "code"},
    "files": {
        "hint_file": "input",
        "input": "input",
        "output": "output",
        "pattern": "input",
        "restart": "input",
    },
    "others": {"dir": "directory", "foreign_folder": "protection"},
}


def test_every_option_declares_what_it_names_outside(place: Path) -> None:
    declared = {
        option["name"]: option.get("reach")
        for benchmark in json.loads(run(CORE, "schema"))["benchmarks"]
        for option in benchmark["options"]
        if option["type"] in ("text", "texts") or option.get("reach")
    }
    wanted = {name: kind for some in REACHES.values() for name, kind in some.items()}
    assert {name: kind for name, kind in declared.items() if kind is not None} == wanted
    named = ("dir", "file", "path", "folder", "library", "blas", "input", "output")
    assert [
        name for name, kind in declared.items() if kind is None and any(one in name for one in named)
    ] == []


@needs_root
@pytest.mark.parametrize(("benchmark", "option"), [("fft", "library"), ("hpl", "blas"), ("dgemm", "blas")])
def test_code_that_a_study_names_is_asked_for(benchmark: str, option: str, place: Path) -> None:
    theirs = place / "theirs"
    theirs.mkdir()
    (theirs / "evil.c").write_text(LIBRARY)
    evil, loaded = theirs / "evil.so", place / LOADED
    run("cc", f'-DMARK="{loaded}"', "-shared", "-fPIC", theirs / "evil.c", "-o", evil)
    (theirs / "study.toml").write_text(
        f'[study]\nname = "theirs"\nbudget = "20s"\n[fixed]\nbenchmark = "{benchmark}"\n{option} = "{evil}"\n'
        '[[comparison]]\nname = "only"\n'
    )
    give_away(theirs)
    planned = ended(*WEIR.split(), "plan", theirs / "study.toml")
    assert f"{option} = {evil} (a library whose code is run)" in planned.stdout, planned.stderr
    done = ended(*WEIR.split(), "run", theirs / "study.toml", "--out", "RUN")
    assert done.returncode == 2 and f"sets {option}" in done.stderr and "--trust" in done.stderr, done.stderr
    assert not loaded.exists() and not Path("RUN").exists()
    ended(*WEIR.split(), "run", theirs / "study.toml", "--out", "RUN", "--trust")
    assert loaded.exists()
