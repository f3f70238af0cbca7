"""Each verb that writes, where others could have been first: planted links, pipes in the way, folders of
another user."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from trace.synthetic import rows_of_rank, write_trace

import pytest

from cloud.made_dump import sphere, write_state
from others import give_away, needs_root
from reading.made_output import SYNC, Table, output
from synthetic_run import write_run
from verbs import weir_here as weir

RUN = ["run", "small.toml", "--dir", "store", "--out", "RUN"]


@dataclass
class Case:
    """A verb's command line, the folder that it writes to, and a file that it writes in there."""

    words: list[object]
    folder: Path
    file: str
    named: bool = False
    """Did the person name the file?"""


def assert_refused(why: str, *words: object) -> None:
    done = weir(*words)
    assert done.exit_code == 2 and why in done.output, done.output


@pytest.fixture(name="place")
def _place(place: Path) -> Path:
    """With a folder `F`, and a file that is not to be touched."""
    (place / "F").mkdir()
    (place / "precious").write_text("mine")
    return place


def run(file: str) -> Callable[[Path], Case]:
    def case(place: Path) -> Case:
        return Case([*RUN[:-1], "F"], place / "F", file)

    return case


def read(file: str) -> Callable[[Path], Case]:
    def case(place: Path) -> Case:
        (place / "imb.txt").write_text(output(Table("Barrier", SYNC, [(9, 1.0, 1.5, 1.25)])))
        return Case(["read", "imb.txt", "--out", "F"], place / "F", file)

    return case


def report(place: Path) -> Case:
    return Case(["report", write_run(place / "F")], place / "F", "report.html")


def figures(place: Path) -> Case:
    pytest.importorskip("vl_convert", reason="vl-convert-python, which draws, is not installed")
    words = ["report", write_run(place / "R"), "--figures", "F"]
    return Case(words, place / "F", "transfer.svg")


def explain(place: Path) -> Case:
    (place / "F").rmdir()
    return Case(["explain", _trace(place / "F")], place / "F", "page.html")


def export(place: Path) -> Case:
    words = ["export", write_run(place / "R"), "--format", "csv", "--out", "F/samples.csv"]
    return Case(words, place / "F", "samples.csv", named=True)


def pack(place: Path) -> Case:
    return Case(["pack", _trace(place / "F" / "T")], place / "F", "T.weirtrace")


def unpack(place: Path) -> Case:
    weir("pack", _trace(place / "T"), "--out", place / "F" / "U.weirtrace")
    return Case(["pack", "--unpack", "F/U.weirtrace"], place / "F", "U")


def pattern(place: Path) -> Case:
    words = ["pattern", _trace(place / "T"), "--out", "F/pattern.json"]
    return Case(words, place / "F", "pattern.names.csv")


def picture(place: Path) -> Case:
    pytest.importorskip("vl_convert", reason="vl-convert-python, which draws, is not installed")
    dump = write_state(place / "F" / "analysis-000005", sphere(8, 8, 8))
    return Case(["picture", dump], place / "F", "analysis-000005-density-z.png")


def slice_picture(place: Path) -> Case:
    pytest.importorskip("vl_convert", reason="vl-convert-python, which draws, is not installed")
    pytest.importorskip("h5py", reason="h5py, which reads HDF5, is not installed")
    from flash.made_file import Recipe, write_file  # noqa: PLC0415

    file = write_file(place / "F", Recipe(cells=2))
    return Case(["picture", file], place / "F", f"{file.name}-dens-z.png")


def aquifer_picture(place: Path) -> Case:
    pytest.importorskip("vl_convert", reason="vl-convert-python, which draws, is not installed")
    return Case(["picture", _aquifer(place)], place / "F", "a.h5-001-y.png")


def xdmf(file: str) -> Callable[[Path], Case]:
    def case(place: Path) -> Case:
        return Case(["export", _aquifer(place), "--format", "xdmf"], place / "F", file)

    return case


def _aquifer(place: Path) -> Path:
    pytest.importorskip("h5py", reason="h5py, which reads HDF5, is not installed")
    from aquifer.made_file import write_file  # noqa: PLC0415

    return write_file(place / "F" / "a.h5")


def _trace(folder: Path) -> Path:
    return write_trace(folder, {0: rows_of_rank(0)})


WRITERS = [
    *map(run, ("samples.jsonl", "run.json", "logs", "lock")),
    *map(read, ("samples.jsonl", "run.json", "logs", "lock")),
    *(report, figures, explain, export, pack, unpack, pattern, picture, slice_picture, aquifer_picture),
    *map(xdmf, ("a.xmf", "a.xmf.h5")),
]


@pytest.fixture(params=WRITERS, ids=lambda one: getattr(one, "__name__", "run"))
def case(request: pytest.FixtureRequest, place: Path) -> Case:
    made: Case = request.param(place)
    return made


def test_nothing_in_the_way(case: Case) -> None:
    done = weir(*case.words)
    assert done.exit_code == 0, done.output
    if case.file != "lock":
        made = case.folder / case.file
        assert made.stat().st_mode & 0o077 == 0, "others may not read it"


def test_what_is_shared_has_the_mode_that_the_umask_leaves(case: Case) -> None:
    os.umask(before := os.umask(0o022))
    done = weir(*case.words, "--share")
    assert done.exit_code == 0, done.output
    if case.file != "lock":
        made = case.folder / case.file
        assert made.stat().st_mode & 0o777 == (0o777 if made.is_dir() else 0o666) & ~before


def test_a_planted_link_is_not_followed(case: Case, place: Path) -> None:
    (case.folder / case.file).symlink_to(place / "precious")
    assert_refused(case.file, *case.words)
    assert (place / "precious").read_text() == "mine"
    assert (case.folder / case.file).is_symlink()
    assert list((place / "store").iterdir()) == []


def test_a_link_to_what_is_not_there_makes_nothing(case: Case, place: Path) -> None:
    (case.folder / case.file).symlink_to(place / "new")
    done = weir(*case.words)
    assert done.exit_code == 2, done.output
    assert not (place / "new").exists()


def test_a_pipe_in_the_way_is_not_waited_for(case: Case) -> None:
    if case.named:
        pytest.skip("the person named the pipe, and waits for who reads it")
    os.mkfifo(case.folder / case.file)
    assert_refused(case.file, *case.words)


@pytest.mark.parametrize("name", ["samples.jsonl", "logs", "lock", "study.toml"])
def test_a_run_that_is_gone_on_with_follows_no_link(place: Path, name: str) -> None:
    assert weir(*RUN).exit_code == 0
    there = place / "RUN" / name
    outside = place / "outside"
    if there.exists():
        there.rename(outside)
    else:
        outside.write_text('{"host": "elsewhere", "pid": 1}')
    if name == "samples.jsonl":
        outside.write_text("".join(outside.read_text().splitlines(keepends=True)[:3]))
    elif name == "logs":
        (place / "RUN/samples.jsonl").write_text("")
    there.symlink_to(outside)
    before = sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes()
    assert_refused("it is a link", *RUN)
    assert before == (sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes())


@pytest.mark.parametrize("name", ["samples.jsonl", "lock"])
def test_a_run_that_is_gone_on_with_waits_for_no_pipe(place: Path, name: str) -> None:
    assert weir(*RUN).exit_code == 0
    (place / "RUN" / name).unlink(missing_ok=True)
    os.mkfifo(place / "RUN" / name)
    assert_refused("it is a pipe", *RUN)


@needs_root
def test_a_calibration_is_not_kept_in_a_strangers_folder(place: Path) -> None:
    folder = place / "state" / "weir" / "calibrations"
    folder.mkdir(parents=True)
    give_away(folder)
    assert_refused("--foreign-folder", "calibrate", "store")
    assert list(folder.iterdir()) == list((place / "store").iterdir()) == []


@needs_root
def test_a_strangers_folder_is_written_to_only_if_that_is_asked_for(case: Case) -> None:
    before = sorted(case.folder.iterdir())
    give_away(case.folder)
    assert_refused("--foreign-folder", *case.words)
    assert sorted(case.folder.iterdir()) == before
    assert weir(*case.words, "--foreign-folder").exit_code == 0


@needs_root
def test_a_strangers_file_is_not_replaced(case: Case) -> None:
    if case.file in ("lock", "logs", "run.json", "U", "T.weirtrace"):
        pytest.skip("it is refused whosoever it is")
    (case.folder / case.file).write_text("theirs")
    if case.file == "samples.jsonl":
        (case.folder / "logs").mkdir()
    give_away(case.folder / case.file)
    assert_refused("belongs to user", *case.words)
    assert (case.folder / case.file).read_text() == "theirs"


@needs_root
@pytest.mark.parametrize(
    "words", [["explain", "T"], ["pack", "T", "--out", "P"], ["export", "T", "--format", "csv"]]
)
def test_a_trace_that_is_read_holds_no_links(place: Path, words: list[str]) -> None:
    """Else root would pack, and give back, what its sender may not read."""
    trace = _trace(place / "T")
    names = next(trace.glob("*.names"))
    names.unlink()
    names.symlink_to(place / "precious")
    give_away(trace)
    done = weir(*words)
    assert "mine" not in done.output
    if words[0] == "pack":
        assert b"mine" not in (place / "P").read_bytes()
    else:
        assert done.exit_code == 2 and "it is a link" in done.output


@pytest.mark.parametrize("name", ["run.json", "samples.jsonl", "study.toml"])
def test_a_run_with_pipes_is_not_waited_for(place: Path, name: str) -> None:
    run_of_others = write_run(place / "R")
    (run_of_others / name).unlink()
    os.mkfifo(run_of_others / name)
    for words in (["show", "R"], ["report", "R", "--out", "x.html"], ["export", "R", "--format", "csv"]):
        if (words[0], name) != ("export", "study.toml"):
            assert_refused("it is a pipe", *words)


@pytest.mark.parametrize("name", ["head.json", "x.process", "x.names", "x.1.records"])
def test_a_trace_with_pipes_is_not_waited_for(place: Path, name: str) -> None:
    trace = _trace(place / "T")
    found = next(trace.glob(f"*.{name.split('.', 1)[1]}"), trace / name)
    found.unlink(missing_ok=True)
    os.mkfifo(found)
    done = weir("explain", "T", "--page", "x.html")
    assert "it is a pipe" in done.output or name in ("x.process", "x.1.records"), done.output
    if name == "x.1.records":
        assert "parts of the trace cannot be read: 1" in done.output
        assert "it is a pipe" in weir("explain", "T", "--all").output


@pytest.mark.usefixtures("recorder")
def test_the_trace_of_a_program_is_its_callers_alone(place: Path) -> None:
    os.umask(before := os.umask(0o022))
    program = [sys.executable, "-c", "open('a', 'w').write('x')"]
    assert weir("trace", "-o", "T", "--", *program).exit_code == 0
    assert weir("trace", "-o", "S", "--share", "--", *program).exit_code == 0
    for folder, share in ((place / "T", 0o700), (place / "S", 0o777)):
        assert folder.stat().st_mode & 0o777 == share & ~before
        files = list(folder.iterdir())
        assert {".process", ".names", ".records", ".json"} <= {one.suffix for one in files}
        assert {one.stat().st_mode & 0o777 for one in files} == {share & 0o666 & ~before}


@needs_root
def test_a_trace_is_not_recorded_into_a_strangers_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_TRACE_LIBRARY", "/bin/true")
    give_away(place / "F")
    assert_refused("--foreign-folder", "trace", "-o", "F", "--", "/bin/true")
    (place / "L").symlink_to(place / "state")
    give_away(place / "L")
    assert_refused("--foreign-folder", "trace", "-o", "L", "--", "/bin/true")
    assert list((place / "F").iterdir()) == []


@pytest.mark.parametrize(
    "scratch", ["store/..", "store/precious", "store/.", "link/weir-x-01234567", "store/weir-x-01234567"]
)
def test_a_run_names_no_directory_to_remove(place: Path, scratch: str) -> None:
    """What `run.json` says is what its sender says."""
    assert weir(*RUN).exit_code == 0
    (place / "link").symlink_to("store")
    for name in ("precious", "weir-x-01234567"):
        (place / "store" / name).mkdir()
        (place / "store" / name / "thesis.tex").touch()
    info = json.loads((place / "RUN/run.json").read_text())
    (place / "RUN/run.json").write_text(json.dumps(info | {"scratch": [str(place / scratch)]}))
    lines = (place / "RUN/samples.jsonl").read_text().splitlines()
    kept = [line for line in lines if '"kind":"finished"' not in line]
    (place / "RUN/samples.jsonl").write_text("\n".join(kept) + "\n")
    done = weir(*RUN)
    assert done.exit_code == 2, done.output
    for name in ("precious", "weir-x-01234567"):
        assert (place / "store" / name / "thesis.tex").exists()
    assert (place / "small.toml").exists()


MEASURED = [
    ["run", "small.toml", "--out", "RUN", "--dir"],
    ["evaluate", "--out", "RUN", "--dir"],
    ["calibrate"],
    ["doctor"],
]


@needs_root
@pytest.mark.parametrize("words", MEASURED, ids=lambda words: words[0])
@pytest.mark.parametrize("below", ["", "below"])
def test_nothing_is_measured_behind_a_strangers_link(words: list[str], below: str, place: Path) -> None:
    (place / "store" / "below").mkdir()
    (place / "theirs").symlink_to(place / "store")
    give_away(place / "theirs")
    before = (place / "store").stat().st_mtime_ns
    assert_refused("it is a link of user", *words, place / "theirs" / below)
    assert (place / "store").stat().st_mtime_ns == before and not (place / "RUN").exists()


@needs_root
def test_a_link_of_ones_own_to_a_directory_is_followed(place: Path) -> None:
    (place / "mine").symlink_to(place / "store")
    assert weir(*RUN[:2], "--out", "RUN", "--dir", "mine").exit_code == 0
    (scratch,) = json.loads((place / "RUN/run.json").read_text())["scratch"]
    assert Path(scratch).parent == (place / "store").resolve()


@needs_root
def test_a_strangers_link_to_a_directory_is_followed_only_if_that_is_asked_for(place: Path) -> None:
    (place / "theirs").symlink_to(place / "store")
    give_away(place / "theirs")
    assert weir(*RUN[:2], "--out", "RUN", "--dir", "theirs", "--foreign-folder").exit_code == 0


@needs_root
@pytest.mark.parametrize(
    ("words", "has_option"),
    [
        (["doctor", "theirs"], False),
        (["plan", "small.toml", "--dir", "theirs"], False),
        (["run", "small.toml", "--dir", "theirs", "--out", "RUN"], True),
    ],
)
def test_a_verb_advises_only_options_that_it_has(place: Path, words: list[str], has_option: bool) -> None:
    (place / "theirs").symlink_to(place / "store")
    give_away(place / "theirs")
    done = weir(*words)
    assert done.exit_code == 2 and "it is a link of user" in done.output, done.output
    assert ("--foreign-folder" in done.output) is has_option
