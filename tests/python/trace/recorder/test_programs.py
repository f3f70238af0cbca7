"""How programs begin, multiply and end: every count, byte and offset is right all the same."""

import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from running import ended
from weir.trace.process import read_trace

from ..programs import Record, calls, calls_of_all_threads, compiled, need, need_strace, run, writes


def test_threads_that_share_a_descriptor_fill_the_file_without_gaps(record: Record) -> None:
    (process,) = record("""
        static int fd;
        static void *work(void *arg) {
            (void)arg;
            for (int i = 0; i < 500; ++i) write(fd, data, 32);
            return NULL;
        }
        main:
        fd = open("a", O_RDWR | O_CREAT, 0644);
        in_threads(4, work, NULL);
        """)
    assert sorted(writes(process)) == [(32 * i, 32) for i in range(2000)]
    assert sorted(len(stream.records) for stream in process.streams) == [1, *[500] * 4]
    assert process.facts["streams"] == 5


EXECS = {
    "execve": "execve(argv[0], again, environ)",
    "execv": "execv(argv[0], again)",
    "execvp": "execvp(argv[0], again)",
    "execvpe": "execvpe(argv[0], again, environ)",
    "execveat": "execveat(AT_FDCWD, argv[0], again, environ, 0)",
    "fexecve": "fexecve(open(argv[0], O_RDONLY), again, environ)",
    "execl": 'execl(argv[0], argv[0], "a b", "", NULL)',
    "execlp": 'execlp(argv[0], argv[0], "a b", "", NULL)',
    "execle": 'execle(argv[0], argv[0], "a b", "", NULL, environ)',
}


@pytest.mark.parametrize("way", EXECS)
def test_what_calls_exec_leaves_files_as_long_as_their_records(
    record: Record, tmp_path: Path, way: str
) -> None:
    processes = record(f"""
        extern char **environ;
        main:
        char *again[] = {{argv[0], "a b", "", NULL}};
        int fd = open("a", O_RDWR | O_CREAT | O_APPEND, 0644);
        write(fd, data, 5);
        if (argc == 3) return strcmp(argv[1], "a b") != 0 || strcmp(argv[2], "") != 0;
        if (execl("./nothing", "nothing", NULL) == 0 || errno != ENOENT) return 2;
        write(fd, data, 6);
        {EXECS[way]};
        return 3;
        """)
    first, second = sorted(processes, key=lambda process: int(process.facts["real_ns"]))
    assert (writes(first), writes(second)) == ([(0, 5), (5, 6)], [(11, 5)])
    assert (first.ended, second.ended) == (False, True)
    assert first.facts["process"] == second.facts["process"]
    sizes = [path.stat().st_size for path in (tmp_path / "trace").glob("*.records")]
    page, a_record = 4096, 48
    assert all(size <= page + 16 * a_record for size in sizes)


@pytest.mark.parametrize(
    ("end", "status", "ended"),
    [
        ("_exit(3);", 3, True),
        ("exit(4);", 4, True),
        ("quick_exit(5);", 5, True),
        ("abort();", -signal.SIGABRT, False),
        ("raise(SIGKILL);", -signal.SIGKILL, False),
        ("*(volatile int *)8 = 1;", -signal.SIGSEGV, False),
        ("raise(SIGTERM);", -signal.SIGTERM, False),
    ],
)
def test_however_it_ends_all_that_was_finished_is_there(
    record: Record, end: str, status: int, ended: bool
) -> None:
    program = f"""
        static void *work(void *arg) {{
            int fd = open("b", O_RDWR | O_CREAT, 0644);
            for (int i = 0; i < 20000; ++i) pwrite(fd, data, 2, i);
            {end}
            return arg;
        }}
        main:
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 10; ++i) write(fd, data, 3);
        in_threads(1, work, NULL);
        """
    (process,) = record(program, status=status)
    assert process.ended == ended
    assert writes(process) == [(3 * i, 3) for i in range(10)] + [(i, 2) for i in range(20000)]


def test_children_of_every_kind_record_for_themselves(record: Record) -> None:
    processes = record("""
        if (argc > 1) {
            int fd = open(argv[1], O_RDWR | O_CREAT, 0644);
            write(fd, data, 5);
            return 0;
        }
        int fd = open("own", O_RDWR | O_CREAT, 0644);
        write(fd, data, 1);
        char *const arguments[] = {argv[0], "spawned", NULL};
        pid_t child;
        posix_spawn(&child, argv[0], NULL, NULL, arguments, environ);
        waitpid(child, NULL, 0);
        child = vfork();
        if (child == 0) {
            close(fd);
            dup2(0, 7);
            execl(argv[0], argv[0], "vforked", NULL);
            _exit(1);
        }
        waitpid(child, NULL, 0);
        char command[4200];
        snprintf(command, sizeof command, "%s system", argv[0]);
        if (system(command) != 0) return 2;
        snprintf(command, sizeof command, "%s popen; echo fine", argv[0]);
        FILE *pipe = popen(command, "r");
        char answer[10];
        if (fgets(answer, 10, pipe) == NULL || strcmp(answer, "fine\\n") != 0) return 3;
        if (pclose(pipe) != 0) return 4;
        write(fd, data, 2);
        """)
    wrote: dict[str, list[tuple[int, int]]] = {}
    for process in processes:
        for row in calls(process) if process.streams else []:
            if row[0] == "write":
                wrote.setdefault(row[1], []).append((row[2], row[4]))
    assert wrote.pop("own") == [(0, 1), (1, 2)]
    assert wrote == {name: [(0, 5)] for name in ("spawned", "vforked", "system", "popen")}


def test_the_same_name_in_another_directory_is_another_file(record: Record) -> None:
    (process,) = record("""
        for (int i = 0; i < 20; ++i) {
            mkdir(i % 2 ? "odd" : "even", 0755);
            if (chdir(i % 2 ? "odd" : "even") != 0) return 1;
            int fd = open("a", O_RDWR | O_CREAT, 0644);
            write(fd, data, 1 + i % 2);
            close(fd);
            if (i % 3 == 0) unlink("a");
            chdir("..");
            if (i % 5 == 0) rename("odd/a", "odd/b");
            fd = open("odd/b", O_WRONLY | O_APPEND);
            if (fd >= 0) { write(fd, data, 3); close(fd); }
        }
        """)
    for record_, row in zip(process.streams[0].records, calls(process), strict=True):
        if row[0] == "write":
            name = process.names.files[int(record_["file"])].name
            assert name.endswith({1: "/store/even/a", 2: "/store/odd/a", 3: "/store/odd/b"}[row[4]])


def test_nameless_files_are_told_apart_from_others(tmp_path: Path) -> None:
    body = """
        int fd = open(".", O_RDWR | O_TMPFILE, 0600);
        if (fd < 0) return 77;
        write(fd, data, 12);
        """
    done = run([compiled(tmp_path, body)], tmp_path)
    if done.returncode == 77:
        pytest.skip("this file system has no O_TMPFILE")
    (process,) = read_trace(tmp_path / "trace")
    assert writes(process) == [(0, 12)]
    assert "(deleted)" in calls(process)[-1][1]


def test_processes_that_append_to_one_file_know_where_they_wrote(record: Record) -> None:
    processes = record("""
        int fd = open("a", O_WRONLY | O_CREAT | O_APPEND, 0644);
        for (int child = 0; child < 3; ++child) {
            if (fork() == 0) {
                int own = open("a", O_WRONLY | O_APPEND);
                for (int i = 0; i < 200; ++i) write(own, data, 10);
                _exit(0);
            }
        }
        while (wait(NULL) > 0) {}
        write(fd, data, 10);
        """)
    written = sorted(row for process in processes for row in writes(process))
    assert written == [(10 * i, 10) for i in range(601)]


def test_fortran(tmp_path: Path) -> None:
    need("gfortran")
    (tmp_path / "program.f90").write_text(
        """
        program known
          integer :: unit, i
          real(8) :: values(1000) = 1.0
          open(newunit=unit, file='stream', access='stream', form='unformatted', status='replace')
          write(unit) values
          write(unit, pos=16001) values
          close(unit)
          open(newunit=unit, file='direct', access='direct', recl=800, status='replace')
          do i = 10, 1, -1
            write(unit, rec=i) values(1:100)
          end do
          close(unit)
          open(newunit=unit, file='text', status='replace')
          do i = 1, 100
            write(unit, '(i6)') i
          end do
          close(unit)
        end program
        """
    )
    assert ended("gfortran", "-o", tmp_path / "program", tmp_path / "program.f90").returncode == 0
    assert run([tmp_path / "program"], tmp_path).returncode == 0
    (process,) = read_trace(tmp_path / "trace")
    assert process.ended
    for name, size in (("stream", 24000), ("direct", 8000), ("text", 700)):
        rows = [row for row in calls(process) if row[1] == name and row[0] in ("write", "writev", "pwrite")]
        covered = np.zeros(size, bool)
        for _, _, offset, _, moved in rows:
            covered[offset : offset + moved] = True
        assert (tmp_path / "store" / name).stat().st_size == size
        assert covered.sum() == (16000 if name == "stream" else size)


def test_python(tmp_path: Path) -> None:
    program = """
import os, subprocess, sys, tempfile
with open("a", "wb", buffering=0) as file:
    for i in range(50):
        file.write(bytes(100))
with open("a", "rb") as file:
    assert len(file.read()) == 5000
os.closerange(3, 500)
assert subprocess.run([sys.executable, "-c", "open('b', 'w').write('xyz')"], close_fds=True).returncode == 0
print("fine")
"""
    done = run([sys.executable, "-c", program], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")
    processes = read_trace(tmp_path / "trace")
    wrote = [(row[1], row[2], row[4]) for process in processes for row in calls(process) if row[0] == "write"]
    assert [row for row in wrote if row[0] == "a"] == [("a", 100 * i, 100) for i in range(50)]
    assert [row for row in wrote if row[0] == "b"] == [("b", 0, 3)]


def test_a_shell_script(tmp_path: Path) -> None:
    script = """
echo one > a
for i in 1 2 3; do echo $i >> a; done
{ read first; read second; } < a
cat < a | tr a-z A-Z > b
( echo "$second" > c ) &
wait
exec 5> d; echo five >&5; exec 5>&-
echo "$first $(cat c)"
exit 7
"""
    done = run(["bash", "-c", script], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (7, "one 1\n", "")
    store = tmp_path / "store"
    texts = ["one\n1\n2\n3\n", "ONE\n1\n2\n3\n", "1\n", "five\n"]
    assert [(store / name).read_text() for name in "abcd"] == texts
    processes = read_trace(tmp_path / "trace")
    assert set("abcd") <= {row[1] for process in processes for row in calls_of_all_threads(process)}


def test_counts_are_those_of_strace(tmp_path: Path) -> None:
    need_strace()
    body = """
        struct stat facts;
        struct iovec two[2] = {{data, 10}, {data, 20}};
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 13; ++i) write(fd, data, 100);
        for (int i = 0; i < 17; ++i) pwrite(fd, data, 10, i);
        for (int i = 0; i < 7; ++i) pread(fd, data, 10, i);
        lseek(fd, 0, SEEK_SET);
        for (int i = 0; i < 5; ++i) read(fd, data, 10);
        writev(fd, two, 2);
        fsync(fd); fdatasync(fd); ftruncate(fd, 7);
        close(dup(fd));
        close(fd);
        mkdir("d", 0755); rename("a", "d/a"); unlink("d/a"); rmdir("d");
        stat("nothing", &facts);
        """
    kinds = "write pwrite64 pread64 lseek writev fsync fdatasync ftruncate dup mkdir rename unlink rmdir"
    kinds += " openat read close"
    program = compiled(tmp_path, body)
    alone = tmp_path / "alone"
    alone.mkdir()
    assert ended("strace", "-o", tmp_path / "log", program, cwd=alone).returncode == 0
    lines = (tmp_path / "log").read_text().splitlines()
    # Before that, the dynamic linker opens and reads libraries, when no program can be recorded yet.
    begin = next(i for i, line in enumerate(lines) if line.startswith("openat(") and '"a"' in line)
    seen = [line.partition("(")[0] for line in lines[begin:]]
    assert run([program], tmp_path).returncode == 0
    (process,) = read_trace(tmp_path / "trace")
    ours = [row[0] for row in calls(process)]
    for kind in kinds.split():
        assert seen.count(kind) == ours.count("open" if kind == "openat" else kind.removesuffix("64")), kind


def test_a_name_may_be_written_in_several_ways(record: Record) -> None:
    (process,) = record("""
        struct stat facts;
        mkdir("d", 0755);
        close(open("d/a", O_RDWR | O_CREAT, 0644));
        const char *names[] = {"d/a", "./d/a", "d/./a", "d//a", "././/d/././/a"};
        for (int i = 0; i < 5; ++i) if (stat(names[i], &facts) != 0) return 1;
        const char *folders[] = {"d", "d/", "d/.", "./d/./"};
        for (int i = 0; i < 4; ++i) if (stat(folders[i], &facts) != 0) return 2;
        stat("d/.a", &facts); stat("d/..a", &facts);
        return stat("/", &facts) + stat("//", &facts) + stat("/.", &facts);
        """)
    names = [row[1] for row in calls(process) if row[0] == "stat"]
    assert names == ["a"] * 5 + ["d"] * 4 + [".a", "..a"] + [""] * 3
    assert {Path(file.name).name for file in process.names.files.values()} == {"d", "a", ".a", "..a", ""}
    assert "/" in {file.name for file in process.names.files.values()}
    assert len(process.names.files) == 5


def test_each_file_has_one_name_however_many_there_are(record: Record) -> None:
    """The recorder's table of names grows at 2,048, 8,192 and 32,768 of them: none is lost or told twice."""
    (process,) = record("""
        for (int turn = 0; turn < 2; ++turn)
            for (int i = 0; i < 40000; ++i) {
                char name[16];
                snprintf(name, sizeof name, "f%d", i);
                access(name, F_OK);
            }
        """)
    names = [file.name.rsplit("/", 1)[-1] for file in process.names.files.values()]
    mine = [name for name in names if name.startswith("f") and name[1:].isdigit()]
    assert len(mine) == 40000 and len(set(mine)) == 40000
