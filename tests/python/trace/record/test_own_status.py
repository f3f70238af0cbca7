"""`weir trace` runs the program whatever becomes of the trace, and gives back its exit status."""

import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from running import ended
from weir.redaction import Redactor
from weir.trace.redact import redact_folder

from ..programs import ENVIRONMENT, WEIR, Done, compiled, need, small_disk, weir

DAEMON = """
if (fork() != 0) {
    close(open(argv[1], O_RDONLY));
    return 3;
}
setsid();
close(open("a", O_RDWR | O_CREAT, 0644));
close(open(argv[1], O_WRONLY));
close(0), close(1), close(2);
alarm(60);
close(open(argv[2], O_RDONLY));
"""


def runs(process: int) -> bool:
    """Zombies do not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def test_words_that_are_no_text(tmp_path: Path) -> None:
    done = weir("trace", "-o", "T", "--", "sh", "-c", "exit 3", b"\xff\xfe", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "recorded in T" in done.stderr
    assert json.loads((tmp_path / "T" / "head.json").read_text())["command"][-1] == r"\xff\xfe"
    assert weir("explain", "T", cwd=tmp_path).returncode == 0


def weir_on_small_disk(tmp_path: Path, kib: int, before: str, *program: str) -> Done:
    """What is said of a trace in `disk/T`, a small file system, and then by `weir explain --all`."""
    need()
    mount = small_disk(tmp_path / "disk", f"{kib}k")
    words = " ".join(WEIR)
    script = f'{mount}; {before}; {words} trace -o disk/T -- "$@"; status=$?; '
    script += f"{words} explain --all --no-page disk/T || echo explain: $?; exit $status"
    return ended("unshare", "-m", "sh", "-c", script, "sh", *program, env=ENVIRONMENT, cwd=tmp_path)


@pytest.mark.parametrize("blocks", [2, 3])
def test_a_disk_that_is_full_from_the_start(tmp_path: Path, blocks: int) -> None:
    """Of the file system's two blocks, the program's own folder takes the first."""
    before = f"head -c {blocks * 4096} /dev/zero > disk/filled"
    done = weir_on_small_disk(tmp_path, 8, before, "sh", "-c", "echo hello; exit 3")
    assert (done.returncode, done.stdout.splitlines()[0]) == (3, "hello")
    first = done.stderr.splitlines()
    assert any("cannot be written (No space left on device)" in line for line in first)
    assert "internal error" not in done.stderr and "Traceback" not in done.stderr


WRITES = """
int file = open("a", O_RDWR | O_CREAT, 0644);
for (int i = 0; i < 3000; ++i) if (pwrite(file, data, 1000, 0) != 1000) return 1;
close(file);
return 3;
"""


@pytest.mark.parametrize("kib", [8, 40, 300])
def test_a_disk_that_has_no_room_for_all(tmp_path: Path, kib: int) -> None:
    """That is told, with all calls or processes that it concerns, and no other reason."""
    program = compiled(tmp_path, WRITES)
    done = weir_on_small_disk(tmp_path, kib, "true", "sh", "-c", f"cat program > b; {program}")
    assert done.returncode == 3, done.stderr
    for said in (done.stderr, done.stdout):
        assert "error" not in said and "the kernel counts" not in said
    lost = "only counted, in no table" if kib > 8 else "nothing is recorded: the trace's disk was full"
    assert lost in done.stderr and lost in done.stdout
    calls = [line.split() for line in done.stdout.splitlines() if "of pwrite" in line]
    assert calls == (
        [["calls", "of", "pwrite", "3,000"], ["bytes", "of", "pwrite", "2.86", "MiB"]] if kib > 8 else []
    )


def test_a_disk_that_has_no_room_for_records(tmp_path: Path) -> None:
    program = compiled(tmp_path, WRITES)
    done = weir_on_small_disk(tmp_path, 40, "true", str(program))
    assert done.returncode == 3
    assert "0 calls of 1 process recorded" in done.stderr and "3,002 more were only counted" in done.stderr
    assert "0 calls recorded, 3,002 more only counted" in done.stdout


def test_a_folder_that_the_program_removes(tmp_path: Path) -> None:
    done = weir("trace", "-o", "T", "--", "sh", "-c", "rm -r T; exit 4", cwd=tmp_path, status=4)
    assert "cannot be written (No such file or directory)" in done.stderr


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("./script", "Exec format error: no program of this machine, and no script with a first line"),
        ("./folder", "(it is a directory)"),
        ("./text", "(it may not be executed). If it is a program, allow it (chmod +x ./text)"),
        ("./missing", "(there is no such file)"),
        ("./link", "(it is a link to 'nowhere', which is not there)"),
        ("./strange", "(its first line says that '/no/shell' runs it: there is no such file)"),
        ("of-no-path", "(there is no such program in the directories of PATH). Write its path: ./of-no-path"),
    ],
)
def test_what_is_no_program_is_refused_and_leaves_no_folder(tmp_path: Path, named: str, told: str) -> None:
    texts = {"script": "exit 4\n", "text": "", "of-no-path": "", "strange": "#!/no/shell -e\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o644 if name == "text" else 0o755)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    done = weir("trace", "-o", "T", "--", named, cwd=tmp_path, status=2)
    assert f"cannot run '{named}' " in done.stderr and told in done.stderr
    assert not (tmp_path / "T").exists()


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 2)", "os._exit(1)", "raise MemoryError", "1 / 0"])
def test_a_library_that_ends_its_process_does_not_end_the_programs_status(tmp_path: Path, end: str) -> None:
    """As NumPy's linear algebra does where memory is short."""
    library = tmp_path / "libraries" / "numpy"
    library.mkdir(parents=True)
    note = tmp_path / "note"
    text = f"import os, pathlib; pathlib.Path({str(note)!r}).write_text(os.environ['OPENBLAS_NUM_THREADS'])"
    (library / "__init__.py").write_text(f"{text}\n{end}\n")
    program = ["sh", "-c", 'test -z "$OPENBLAS_NUM_THREADS" && exit 7']
    environment = {**ENVIRONMENT, "PYTHONPATH": str(library.parent)}
    environment.pop("OPENBLAS_NUM_THREADS", None)
    done = ended(*WEIR, "trace", "-o", "T", "--", *program, cwd=tmp_path, env=environment)
    assert done.returncode == 7, done.stderr
    assert "weir: recorded in T, but it cannot be told what" in done.stderr
    assert "interrupted" not in done.stderr
    assert note.read_text() == "1", "it may start no threads"


def test_memory_that_is_bounded_is_told(tmp_path: Path) -> None:
    assert weir("trace", "-o", "T", "--", "true", cwd=tmp_path).returncode == 0
    bounded = 'ulimit -v 90000; exec "$@"'
    explain = [*WEIR, "explain", "--no-page", "T"]
    done = ended("bash", "-c", bounded, "bash", *explain, cwd=tmp_path, env=ENVIRONMENT)
    assert done.returncode == 2
    assert "cannot load NumPy (out of memory: the system maps no more for this process)" in done.stderr


def test_processes_that_still_run_are_told(tmp_path: Path) -> None:
    ready, go = tmp_path / "ready", tmp_path / "go"
    os.mkfifo(ready)
    os.mkfifo(go)
    waits = compiled(tmp_path, DAEMON)
    done = weir("trace", "-o", "T", "--", str(waits), str(ready), str(go), cwd=tmp_path)
    head = json.loads((tmp_path / "T" / "head.json").read_text())
    (process,) = head["running"]
    assert done.returncode == 3
    told = f"still running when the program had ended: {waits} (process {process})"
    assert told in done.stderr and "did not end normally" not in done.stderr
    assert told in weir("explain", "--all", "--no-page", "T", cwd=tmp_path).stdout
    redacted = tmp_path / "redacted"
    shutil.copytree(tmp_path / "T", redacted)
    redact_folder(redacted, Redactor())
    assert str(waits) not in weir("explain", "--all", "--no-page", str(redacted), cwd=tmp_path).stdout
    go.write_text("")
    while runs(process):
        time.sleep(0.01)
    later = weir("explain", "--all", "--no-page", "T", cwd=tmp_path).stdout
    assert "till running" not in later and "2 processes on" in later


ADOPTS = """
import os, signal, sys
from weir.trace.record.processes import become_subreaper, wait_for_last
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
become_subreaper()
reading, writing = os.pipe()
os.set_inheritable(reading, True)
program = os.posix_spawnp("sh", ["sh", "-c", f"cat <&{reading} & exit 0"], os.environ)
os.waitpid(program, 0)
still = wait_for_last(0.0)[1]
os.close(writing)  # now it ends, however long that takes
print(len(still), wait_for_last(float(sys.argv[1]))[1])
"""


def test_children_that_end_with_the_program_are_not_told_as_running(tmp_path: Path) -> None:
    """They have a moment for that, which a loaded machine may well take to end them: here it is long."""
    done = ended(sys.executable, "-c", ADOPTS, "120", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 ()\n"


END_MEANWHILE = """
import os, signal
from weir.trace.record import processes
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
def child(does):
    started = os.fork()
    if started == 0:
        does()
        os._exit(0)
    return started
def wait_for_end_of(pipe):
    os.close(pipe[1])
    os.read(pipe[0], 1)
go, hold = os.pipe(), os.pipe()
def waits_for_one_and_leaves_another():
    waited = child(lambda: wait_for_end_of(go))
    wait_for_end_of(go)
    os.waitpid(waited, 0)
    child(lambda: wait_for_end_of(hold))
processes.become_subreaper()
orphan = child(waits_for_one_and_leaves_another)
looks = processes._descendants
while len(looks()) < 2:
    pass
def looks_before_it_ends():
    processes._descendants = looks
    found = looks()
    os.close(go[1])
    os.waitid(os.P_PID, orphan, os.WEXITED | os.WNOWAIT)
    return found
processes._descendants = looks_before_it_ends
orphans, running = processes.wait_for_last(0.0)
print([one.process for one in orphans] == [orphan], [one.process for one in running] == looks() != [])
"""


def test_what_ends_while_the_others_are_looked_for_is_counted(tmp_path: Path) -> None:
    """Its child that runs on is told, and the one for which it waited is not."""
    done = ended(sys.executable, "-c", END_MEANWHILE, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr


def test_a_program_without_children_has_none_running(tmp_path: Path) -> None:
    done = weir("trace", "-o", "T", "--", "sh", "-c", "exit 0", cwd=tmp_path)
    assert "running" not in json.loads((tmp_path / "T" / "head.json").read_text()), done.stderr


def test_what_the_kernel_counts_of_the_program_and_its_children_is_kept(tmp_path: Path) -> None:
    if not Path("/proc/self/io").exists():
        pytest.skip("this kernel counts no bytes of processes")
    script = "head -c 3000000 /dev/zero > a; (head -c 2000000 /dev/zero > b &)"
    assert weir("trace", "-o", "T", "--", "sh", "-c", script, cwd=tmp_path).returncode == 0
    head = json.loads((tmp_path / "T" / "head.json").read_text())
    assert 3_000_000 <= head["kernel_written"] < 6_000_000
    assert head["process"] > 0


def test_descriptors_that_were_inherited_are_the_programs_too(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    program = [sys.executable, "-c", f"import os; os.write({writing}, b'hi')"]
    done = ended(*WEIR, "trace", "-o", "T", "--", *program, cwd=tmp_path, pass_fds=[writing])
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert (done.returncode, pipe.read()) == (0, b"hi"), done.stderr
