"""What is handed to a verb that does not take it is told by its name, with what takes it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from damage.verbs import speak
from weir.files.thing import Thing
from weir.handed.kind import kind_named, kinds_of
from weir.handed.takes import Takes, near_path

from .things import THINGS, verbs

VERBS = dict(verbs())
COMMAND = re.compile(r"`(weir[^`]*)`|as in: (weir.*)")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def things(place: Path) -> None:
    for name, make in THINGS.values():
        make(Path(name))


def taken(takes: Takes, kind: str) -> bool:
    thing = Thing(THINGS[kind][0])
    return any(kind_named(name).recognises(thing) for name in takes.names)


def test_every_verb_says_what_it_takes() -> None:
    assert {verb for verb, takes in VERBS.items() if takes is None} == set()
    assert len(VERBS) > 15


def test_what_a_thing_is_is_told_without_numpy(tmp_path: Path) -> None:
    """Which takes a while to load, and more memory than some have."""
    program = (
        "import sys; from weir.files.thing import Thing; from weir.handed.kind import kinds_of;"
        "print(len(list(kinds_of(Thing('.')))))"
    )
    asked = [sys.executable, "-c", f"{program}; sys.exit('numpy' in sys.modules)"]
    assert subprocess.run(asked, cwd=tmp_path, check=False).returncode == 0


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("kind", THINGS)
def test_each_kind_is_known_as_what_it_is(kind: str) -> None:
    assert next(kinds_of(Thing(THINGS[kind][0]))).what == kind_named(kind).what


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("verb", VERBS)
def test_the_wrong_door_is_told_and_the_right_one_named(verb: str) -> None:
    takes = VERBS[verb]
    assert takes is not None
    for kind, (name, _) in THINGS.items():
        if taken(takes, kind):
            continue
        code, said = speak(*verb.split(), name, seconds=20)
        assert code == 2, said
        named = (
            name
            if takes.first or takes.labelled or verb in ("run", "plan", "submit", "history")
            else str(Path(name))
        )
        assert said.startswith(f"weir: '{named}' is {kind_named(kind).what} (`weir {verb}` takes "), said
        cause, _, remedy = said.partition("). ")
        assert cause and remedy[:1] in "`OLTIN", said
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize("kind", THINGS)
def test_every_remedy_names_verbs_that_there_are(kind: str) -> None:
    one = kind_named(kind)
    known = {verb.split()[0] for verb in VERBS}
    for advice in (one.use, *one.instead.values()):
        for found in COMMAND.findall(advice):
            words = (found[0] or found[1]).split()
            assert words[0] == "weir-core" or words[1] in known, advice


SAID = {
    "predict TRACE": "`weir pattern TRACE -o pattern.json` makes a pattern of it",
    "report TRACE": "`weir explain TRACE` shows it",
    "explain RUN": "`weir show RUN` shows it",
    "run RUN": "Name its study: RUN/study.toml",
    "predict REPLAY": "Name the pattern that it carried out: REPLAY/pattern.json",
    "run pattern.json": "`weir replay pattern.json` carries it out",
    "trace -n 4 ./app": "Name the program first, as in: weir trace -- mpirun -n 4 ./app",
    "trace TRACE": "`weir explain TRACE` shows it",
    "explain ./app": "`weir trace -- ./app` records what it requests",
    "pack T.weirtrace": "To make the folder again: weir pack --unpack T.weirtrace",
    "export RUN": "(RUN is a run). Add --format and one of: csv, openmetrics, parquet",
    "export TRACE": "(TRACE is a trace). Add --format and one of: csv, parquet, perfetto",
    "export RUN --format cvs": "Did you mean 'csv'?",
    "pattern TRACE": "Name one, as in: weir pattern TRACE -o pattern.json",
    "workload gtk": "Did you mean 'gtc'?",
    "plan studies/quik.toml": "no file or folder 'studies/quik.toml'. Did you mean 'studies/quick.toml'?",
    "explain TRACY": "Did you mean 'TRACE'?",
    "explan TRACE": "Did you mean 'explain'",
    "network modle RUN": "Did you mean 'model'?",
    "read OLD=TRACE": "'TRACE' is a trace (`weir read` takes output of a benchmark)",
}


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("words", SAID)
def test_what_is_said(words: str) -> None:
    Path("studies").mkdir()
    Path("studies/quick.toml").write_text("[study]\n")
    code, said = speak(*words.split(), seconds=20)
    assert code == 2 and SAID[words] in said, said


def test_what_weir_does_not_know_is_for_the_verb_to_judge(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("hello\n")
    Takes(("run",)).check("show", [str(tmp_path / "notes"), str(tmp_path), str(tmp_path / "nothing")])


def test_a_program_of_the_path_is_one_whatever_lies_here(place: Path) -> None:
    THINGS["trace"][1](Path("true"))
    Takes(("program",), first=True).check("trace", ["true", "nothing"])


def test_a_study_of_weir_is_known_by_its_name(place: Path) -> None:
    THINGS["trace"][1](Path("quick"))
    Takes(("study",)).check("run", ["quick"])


def test_only_near_names_are_suggested(tmp_path: Path) -> None:
    (tmp_path / "trace-app").touch()
    assert near_path(tmp_path / "trace-ap") == tmp_path / "trace-app"
    assert near_path(tmp_path / "run") is None
    assert near_path(tmp_path / "none" / "trace-app") is None
