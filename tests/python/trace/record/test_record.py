"""`weir trace` and `weir explain`, with real programs."""

import json
import os
import sys
from pathlib import Path

import pytest

from running import ended
from weir.errors import WeirError
from weir.preload import passed_on
from weir.trace.load import load_trace
from weir.trace.record.program import check_command
from weir.trace.record.recorder import FILES_LIBRARY, LIBRARY, Recording, find_recorder
from weir.trace.record.run import default_folder

from ..programs import RECORDER, Done, built_so, weir

WRITES = """
import os
f = os.open("a", os.O_CREAT | os.O_WRONLY)
os.write(f, b"x" * 100)
os.pwrite(f, b"y", 500)
print("hello")
"""


def trace_writes(tmp_path: Path, end: str = "") -> Done:
    """`weir trace` of that program, of its own file only."""
    program = [sys.executable, "-c", WRITES + end]
    return weir("trace", "-o", "T", "--only", tmp_path / "a", "--", *program, cwd=tmp_path)


def test_the_program_keeps_its_output_and_status(tmp_path: Path) -> None:
    done = trace_writes(tmp_path, "exit(7)")
    assert (done.returncode, done.stdout) == (7, "hello\n")
    assert "see them with: weir explain T" in done.stderr
    head = json.loads((tmp_path / "T" / "head.json").read_text())
    assert head["exit_status"] == 7 and head["ended_real_s"] >= head["began_real_s"]


def test_explain_shows_what_was_recorded(tmp_path: Path) -> None:
    trace_writes(tmp_path)
    found = json.loads(weir("explain", "T", "--json", cwd=tmp_path).stdout)
    (row,) = found["transfers"]
    assert (row["requests"], row["bytes"], row["smallest"], row["largest"]) == (2, 101, 1, 100)
    (file,) = found["files"]
    assert (file["file"], file["end_bytes"], file["writes"]) == (str(tmp_path / "a"), 501, 2)
    assert found["head"]["command"].startswith(sys.executable) and found["head"]["unended"] == []
    assert not (tmp_path / "T" / "page.html").exists()
    text = weir("explain", "T", "--all", cwd=tmp_path).stdout
    assert "Operations, over all processes" in text and "pwrite 1, write 1" in text
    assert text.splitlines()[-1].startswith("T/page.html (")
    assert "pwrite" in (tmp_path / "T" / "page.html").read_text()


def test_tables_are_there_where_the_page_cannot_be_written(tmp_path: Path) -> None:
    trace_writes(tmp_path)
    done = weir("explain", "T", "--all", "--page", "T/head.json/page.html", cwd=tmp_path, status=2)
    assert "cannot write 'T/head.json/page.html'" in done.stderr
    assert "pwrite 1, write 1" in done.stdout


def test_a_folder_that_is_used_is_kept(tmp_path: Path) -> None:
    (tmp_path / "T").mkdir()
    (tmp_path / "T" / "precious").write_text("")
    assert "'T' is not empty" in weir("trace", "-o", "T", "--", "true", cwd=tmp_path, status=2).stderr
    assert [path.name for path in (tmp_path / "T").iterdir()] == ["precious"]


def test_a_folder_without_a_trace(tmp_path: Path) -> None:
    assert "holds no trace" in weir("explain", ".", cwd=tmp_path, status=2).stderr


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(WeirError, match="there is no such file"):
        check_command(["./not-there"])


def compiled(tmp_path: Path, *flags: str) -> Path:
    return built_so(tmp_path, "app", "return 0;", *flags)


def test_a_static_program_is_refused_also_behind_a_launcher(tmp_path: Path) -> None:
    app = compiled(tmp_path, "-static")
    for command in ([str(app)], ["env", str(app)]):
        with pytest.raises(WeirError, match="linked statically"):
            check_command(command)


def test_a_program_with_rights_of_its_own_is_refused(tmp_path: Path) -> None:
    app = compiled(tmp_path)
    check_command([str(app)])
    app.chmod(0o2755)
    if not app.stat().st_mode & 0o2000:
        pytest.skip("this file system takes no set-gid bit")
    with pytest.raises(WeirError, match="rights of its own"):
        check_command([str(app)])


def test_folders_are_named_by_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert default_folder(["/bin/true"]) == Path("trace-true")
    Path("trace-true").mkdir()
    assert default_folder(["true"]) == Path("trace-true-2")
    compiled(tmp_path)
    assert default_folder(["mpirun", "-np", "2", "./app", "x"]) == Path("trace-app")


def test_the_wrapper_records_without_python(tmp_path: Path) -> None:
    wrapper = RECORDER.parent.parent / "bin" / "weir-trace"
    if not RECORDER.exists() or not wrapper.exists():
        pytest.skip("the recorder is not built")
    environment = {**os.environ, "WEIR_TRACE_ONLY": str(tmp_path / "a")}
    command = [wrapper, "-o", "T", "--", sys.executable, "-c", WRITES]
    done = ended(*command, cwd=tmp_path, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\n", "")
    trace = load_trace(tmp_path / "T")
    assert trace.records == 3 and [file.name for file in trace.files] == ["", str(tmp_path / "a")]
    for words, reason in (((), "no program is named"), (("./no",), "there is no program './no'")):
        refused = ended(wrapper, *words, cwd=tmp_path)
        assert refused.returncode == 2 and reason in refused.stderr


@pytest.mark.parametrize("name", ["mpirun", "mpirun.openmpi", "mpiexec.hydra", "srun"])
def test_only_what_a_launcher_starts_must_be_recordable(tmp_path: Path, name: str) -> None:
    app = str(compiled(tmp_path, "-static"))
    check_command(["ls", app])
    launcher = tmp_path / name
    launcher.write_text("#!/bin/sh\n")
    launcher.chmod(0o755)
    with pytest.raises(WeirError, match="linked statically"):
        check_command([str(launcher), "-np", "2", app])


def test_a_parallel_program_of_which_no_rank_could_be_recorded(tmp_path: Path) -> None:
    compiled(tmp_path, "-static")
    launcher = tmp_path / "mpirun"
    launcher.write_text("#!/bin/sh\necho launched > log\n./app\n")
    launcher.chmod(0o755)
    done = weir("trace", "-o", "T", "--", "./mpirun", cwd=tmp_path, status=0)
    assert "but no rank: its program could not load the recorder" in done.stderr


def test_files_only(tmp_path: Path) -> None:
    if not RECORDER.with_name(FILES_LIBRARY).exists():
        pytest.skip("the recorder of files only is not built")
    program = "import ctypes; open('a', 'w').write('x'); print(hasattr(ctypes.CDLL(None), 'MPI_Init'))"
    for option, found in (("--files-only", "False\n"), ("--limit=1MiB", "True\n")):
        out = tmp_path / option
        only = str(tmp_path / "a")
        words = [option, "--only", only, "-o", out, "--", sys.executable, "-c", program]
        done = weir("trace", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, found)
        assert load_trace(out).records > 0


def test_the_recorder_of_files_stands_beside_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_TRACE_LIBRARY", str(tmp_path / LIBRARY))
    (tmp_path / LIBRARY).touch()
    with pytest.raises(WeirError, match=f"cannot find {FILES_LIBRARY}"):
        find_recorder(files_only=True)
    (tmp_path / FILES_LIBRARY).touch()
    assert find_recorder(files_only=True) == (tmp_path / FILES_LIBRARY).resolve()


def test_variables_reach_ranks_on_other_nodes_in_one_way() -> None:
    recording = Recording(Path("T"))
    before = {"OMPI_MCA_mca_base_env_list": "MINE"}
    environment = recording.environment(Path("/lib/libweir-trace.so"), before)
    assert environment["OMPI_MCA_mca_base_env_list"] == "MINE;LD_PRELOAD;WEIR_TRACE;ASAN_OPTIONS"
    assert passed_on(["mpirun", "./app"], environment) == ["mpirun", "./app"]
    words = passed_on(["mpirun", "-x", "A=1", "./app"], environment)
    passed = ["-x", "MINE", "-x", "LD_PRELOAD", "-x", "WEIR_TRACE", "-x", "ASAN_OPTIONS"]
    assert words == ["mpirun", *passed, "-x", "A=1", "./app"]
    assert "OMPI_MCA_mca_base_env_list" not in environment


def test_a_library_that_cannot_be_preloaded_is_refused() -> None:
    with pytest.raises(WeirError, match="no paths with blanks"):
        Recording(Path("T")).environment(Path("/my lib/libweir-trace.so"), {})
