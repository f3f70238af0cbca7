"""Whatever happens to the recorder, the program does what it does without it."""

import re
import resource
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from running import ended
from weir.trace.process import read_trace
from weir.trace.stream import HEAD, RECORD

from ..programs import (
    RECORDER,
    Record,
    calls,
    calls_of_all_threads,
    compiled,
    exported,
    lacking,
    run,
    small_disk,
)

WRITES = """
int fd = open("a", O_RDWR | O_CREAT, 0644);
for (int i = 0; i < 60000; ++i) if (pwrite(fd, data, 1, i % 100) != 1) return 1;
puts("done");
return 5;
"""


@pytest.mark.parametrize("kind", ["ends", "is killed"])
def test_a_disk_that_fills(tmp_path: Path, kind: str) -> None:
    small = tmp_path / "trace"
    mount = small_disk(small, "700k")
    body = WRITES if kind == "ends" else WRITES.replace("return 5;", "fflush(stdout); raise(SIGKILL);")
    program = compiled(tmp_path, body)
    script = (
        f"{mount}; LD_PRELOAD={RECORDER} WEIR_TRACE={small} {program}; "
        f"echo status $?; cp -r {small} {tmp_path / 'kept'}"
    )
    done = ended("unshare", "-m", "sh", "-c", script, cwd=tmp_path)
    assert done.stdout == ("done\nstatus 5\n" if kind == "ends" else "done\nstatus 137\n")
    (process,) = read_trace(tmp_path / "kept")
    (stream,) = process.streams
    assert 0 < len(stream.records) < 60001
    assert len(stream.records) + stream.lost >= 60001
    assert stream.lost_why == 28  # ENOSPC
    assert np.array_equal(stream.records["offset"][1:], np.arange(len(stream.records) - 1) % 100)
    if kind == "ends":
        assert process.ended
        assert process.lost[0]["lost"] == "POSIX pwrite"


@pytest.mark.parametrize("kib", [0, 64, 600])
def test_a_bound_of_files_sizes(tmp_path: Path, kib: int) -> None:
    """The kernel would end the program by a signal where the recorder passes the bound."""
    program = compiled(
        tmp_path, WRITES.replace("pwrite(fd, data, 1, i % 100) != 1", "pread(fd, data, 1, 0) != 0")
    )
    done = run(["bash", "-c", f"ulimit -f {kib}; exec {program} | cat; exit ${{PIPESTATUS[0]}}"], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (5, "done\n", "")
    if kib == 600:
        (process,) = [one for one in read_trace(tmp_path / "trace") if one.streams and one.streams[0].lost]
        (stream,) = process.streams
        assert 0 < len(stream.records) < 60001
        assert len(stream.records) + stream.lost == 60001
        assert stream.lost_why == 27  # EFBIG
        assert process.ended


CALLS_WITH_NOTHING = """
typedef long (*call_t)(long, long, long, long, long, long);
main:
struct rlimit none = {0, 0};
setrlimit(RLIMIT_CORE, &none);
for (int i = 1; i < argc; ++i) {
    call_t call = (call_t)dlsym(RTLD_DEFAULT, argv[i]);
    for (int first = -1; first < 1; ++first) {
        pid_t child = fork();
        if (child == 0) {
            alarm(5);
            /* Descriptor 0 is a file of the test's own: fchmod(0, 0) of a device would be felt by all. */
            int own = open("a", O_RDWR | O_CREAT, 0644);
            if (own < 0 || dup2(own, 0) != 0 || dup2(own, 1) != 1) _exit(9);
            call(first, 0, 0, 0, 0, 0);
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        const char *end = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "returns";
        unlink("a");
        dprintf(1, "%s(%d) %s\\n", argv[i], first, end);
    }
}
"""


def test_what_returns_without_the_recorder_returns_with_it(tmp_path: Path) -> None:
    """Whatever the program passes, be it nothing: headers promise that some pointers are none of null."""
    program = compiled(tmp_path, CALLS_WITH_NOTHING)
    foreign = ("MPI_", "PMPI_", "H5", "ncmpi_", "weir_")
    # Those end or double the process, or wait.
    left_out = {"_exit", "_Exit", "quick_exit", "vfork", "__vfork", "_Fork"}
    names = sorted(name for name in exported(RECORDER) if not name.startswith(foreign))
    names = [name for name in names if name not in left_out]
    alone = tmp_path / "alone"
    alone.mkdir()
    plain = ended(program, *names, cwd=alone, stdin=subprocess.DEVNULL)
    recorded = run([program, *names], tmp_path)
    assert plain.returncode == recorded.returncode == 0
    without, with_it = plain.stdout.splitlines(), recorded.stdout.splitlines()
    assert len(without) == len(with_it) == 2 * len(names)
    worse = [b for a, b in zip(without, with_it, strict=True) if a.endswith(" returns") and a != b]
    assert worse == []


CALLS_WHAT_IS_MISSING = """
int (*begin)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_DEFAULT, "MPI_Init");
return begin == NULL ? 6 : begin(NULL, NULL) == 0 ? 7 : 5;
"""


@pytest.mark.parametrize("kib", ["0", "unlimited"])
def test_a_function_that_no_library_has(tmp_path: Path, kib: str) -> None:
    """What is said of it goes to a file that may not grow: the kernel would end the program by a signal."""
    program = compiled(tmp_path, CALLS_WHAT_IS_MISSING)
    errors = tmp_path / "errors"
    done = run(["bash", "-c", f"ulimit -f {kib}; exec {program} 2>{errors}"], tmp_path)
    assert done.returncode == 5
    said = errors.read_text()
    assert said == "" if kib == "0" else "the program calls MPI_Init" in said and "--files-only" in said


def test_without_its_libraries_the_recorder_adds_no_function_of_theirs(tmp_path: Path) -> None:
    files_only = RECORDER.with_name("libweir-trace-files.so")
    if not files_only.exists():
        pytest.skip("the recorder of files only is not built")
    body = CALLS_WHAT_IS_MISSING.replace("return", 'close(open("a", O_RDWR | O_CREAT, 0644)); return')
    done = run([compiled(tmp_path, body)], tmp_path, {"LD_PRELOAD": str(files_only)})
    assert done.returncode == 6
    (process,) = read_trace(tmp_path / "trace")
    assert [row[0] for row in calls(process)] == ["open", "close"]
    ours = exported(files_only)
    assert not [name for name in ours if name.startswith(("MPI_", "PMPI_", "H5", "ncmpi_"))]
    foreign = ("MPI_", "PMPI_", "H5", "ncmpi")
    assert ours == {name for name in exported(RECORDER) if not name.startswith(foreign)}


def test_a_stream_that_loses_its_end_says_so(tmp_path: Path) -> None:
    run([compiled(tmp_path, WRITES)], tmp_path)
    (path,) = (tmp_path / "trace").glob("*.records")
    (process,) = read_trace(tmp_path / "trace")
    assert not process.notes
    whole = path.read_bytes()
    path.write_bytes(whole[: -10 * RECORD.itemsize - 31])
    (process,) = read_trace(tmp_path / "trace")
    assert len(process.streams[0].records) == 60001 - 11
    assert "at least 11 of its records are missing" in process.notes[0]
    path.write_bytes(b"something else" + whole[14:])
    (process,) = read_trace(tmp_path / "trace")
    assert process.streams == [] and "is damaged, or no stream of records" in process.notes[0]


def test_a_folder_that_is_not_there_or_cannot_be_written(tmp_path: Path) -> None:
    program = compiled(tmp_path, WRITES)
    for folder in ("/proc/nowhere", str(tmp_path / "not" / "there")):
        done = run([program], tmp_path, {"WEIR_TRACE": folder})
        assert (done.returncode, done.stdout, done.stderr) == (5, "done\n", "")
        shutil.rmtree(tmp_path / "store")


def test_a_program_that_uses_all_its_descriptors(record: Record) -> None:
    (process,) = record("""
        static void *work(void *arg) {
            for (int i = 0; i < 4000; ++i) pwrite(*(int *)arg, data, 1, i);
            return NULL;
        }
        main:
        struct rlimit limit;
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = 64;
        setrlimit(RLIMIT_NOFILE, &limit);
        int fd = open("a", O_RDWR | O_CREAT, 0644), opened = 1;
        while (dup(fd) >= 0) ++opened;
        if (opened != 61 || errno != EMFILE) return 1;
        in_threads(1, work, &fd);
        """)
    made = calls_of_all_threads(process)
    lost = sum(fact["calls"] for fact in process.lost)
    assert sum(row[0] == "pwrite" for row in made) + lost == 4000
    assert lost == 0 or resource.getrlimit(resource.RLIMIT_NOFILE)[1] <= 64


def test_a_hundred_thousand_files(record: Record) -> None:
    (process,) = record("""
        char name[40];
        for (int i = 0; i < 100000; ++i) {
            snprintf(name, sizeof name, "not-there-%d", i);
            if (open(name, O_RDONLY) >= 0 || errno != ENOENT) return 1;
        }
        """)
    assert len(process.streams[0].records) == 100000
    assert len(process.names.files) == 100000
    assert len(np.unique(process.streams[0].records["file"])) == 100000


def test_signal_handlers_may_write_at_any_moment(record: Record, tmp_path: Path) -> None:
    """What they do while the recorder is at work is counted."""
    (process,) = record("""
        static int log_fd;
        static volatile int ticks;
        static void tick(int signal) {
            (void)signal;
            int fd = open("b", O_RDONLY);
            if (fd >= 0) close(fd);
            ++ticks;
            write(log_fd, "x", 1);
        }
        main:
        log_fd = open("log", O_WRONLY | O_CREAT, 0644);
        struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
        sigaction(SIGALRM, &action, NULL);
        struct itimerval timer = {{0, 500}, {0, 500}};
        setitimer(ITIMER_REAL, &timer, NULL);
        char name[40];
        int rounds = 0;
        while (ticks < 200 || rounds < 3000) {
            snprintf(name, sizeof name, "f%d", rounds++ % 3000);
            int fd = open(name, O_RDWR | O_CREAT, 0644);
            if (fd < 0 || pwrite(fd, data, 8, 0) != 8 || close(fd) != 0) return 1;
        }
        struct itimerval never = {{0, 0}, {0, 0}};
        setitimer(ITIMER_REAL, &never, NULL);
        struct stat facts;
        fstat(log_fd, &facts);
        return facts.st_size == ticks ? 0 : 2;
        """)
    rows = calls(process)
    # In a handler that comes while the recorder is at work, calls pass it: those of the program do not.
    assert sum(row[0] == "pwrite" for row in rows) >= 3000
    opened = sum(row[0] == "open" and row[1] != "b" for row in rows)
    assert sum(row[0] == "pwrite" for row in rows) == opened - 1
    lost = {fact["lost"]: fact["calls"] for fact in process.lost}
    kept = sum(row[0] == "write" for row in rows)
    assert kept + lost.get("POSIX write", 0) == (tmp_path / "store" / "log").stat().st_size
    assert process.streams[0].lost == sum(lost.values())
    found = lacking(tmp_path / "trace")
    assert [one.words["why"] for one in found.values()] == [
        "signal handlers interrupted the recorder"
    ] * bool(lost)


def test_a_fork_while_other_threads_record(record: Record) -> None:
    processes = record("""
        static volatile int stop;
        static void *work(void *arg) {
            char name[40];
            for (int i = 0; !stop; ++i) {
                snprintf(name, sizeof name, "t%ld-%d", (long)arg, i % 2000);
                int fd = open(name, O_RDWR | O_CREAT, 0644);
                pwrite(fd, data, 1, 0);
                close(fd);
            }
            return NULL;
        }
        main:
        pthread_t thread[3];
        for (long i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, work, (void *)i);
        int bad = 0;
        for (int i = 0; i < 40; ++i) {
            pid_t child = i % 2 == 0 ? fork() : _Fork();
            if (child == 0) {
                int fd = open("child", O_RDWR | O_CREAT, 0644);
                for (int k = 0; k < 20; ++k) pwrite(fd, data, 1, k);
                _exit(0);
            }
            int status;
            waitpid(child, &status, 0);
            bad += status != 0;
        }
        stop = 1;
        for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
        return bad;
        """)
    children = [process for process in processes if process.facts["how"] == "fork"]
    assert len(children) == 40
    for child in children:
        assert [row[2] for row in calls(child) if row[0] == "pwrite"] == list(range(20))


def test_a_jump_out_of_a_call_leaves_levels_right(record: Record) -> None:
    (process,) = record("""
        static sigjmp_buf back;
        static void jump(int signal) { (void)signal; siglongjmp(back, 1); }
        main:
        mkfifo("pipe", 0600);
        int fd = open("pipe", O_RDWR);
        signal(SIGALRM, jump);
        if (sigsetjmp(back, 1) == 0) {
            ualarm(20000, 0);
            read(fd, data, 10);
        }
        write(fd, data, 1);
        close(fd);
        """)
    assert [row[0] for row in calls(process)] == ["mkfifo", "open", "write", "close"]
    assert not process.streams[0].records["level"].any()


def test_the_recorder_takes_little_memory(tmp_path: Path) -> None:
    body = """
        static void *work(void *arg) {
            for (int i = 0; i < 40000; ++i) pwrite(*(int *)arg, data, 1, i % 4096);
            return NULL;
        }
        main:
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        in_threads(8, work, &fd);
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        printf("%ld", usage.ru_maxrss);
        """
    program = compiled(tmp_path, body)
    alone = tmp_path / "alone"
    alone.mkdir()
    plain = ended(program, cwd=alone)
    recorded = run([program], tmp_path)
    assert int(recorded.stdout) - int(plain.stdout) < 32 << 10  # KiB
    (process,) = read_trace(tmp_path / "trace")
    assert sum(len(stream.records) for stream in process.streams) == 320001
    assert sum(path.stat().st_blocks * 512 for path in (tmp_path / "trace").iterdir()) < 64 * 320001


@pytest.mark.parametrize(
    ("limit", "kept"),
    [("4800", 100), ("12K", 256), ("12KiB", 256), ("100000", 2083), ("1G", 3001), ("x", 3001)],
)
def test_past_its_bound_it_counts_and_says_so_and_bounds_have_units(
    record: Record, limit: str, kept: int
) -> None:
    body = """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 3000; ++i) pwrite(fd, data, 2, i);
        """
    (process,) = record(body, {"WEIR_TRACE_LIMIT": limit})
    (stream,) = process.streams
    lost = 3001 - kept
    assert (len(stream.records), stream.lost) == (kept, lost)
    told = [(fact["lost"], fact["calls"], fact["bytes"]) for fact in process.lost]
    assert told == ([("POSIX pwrite", lost, 2 * lost)] if lost else [])


def test_threads_that_end_give_back_what_they_took_of_the_limit(record: Record) -> None:
    program = """
        static void *work(void *arg) { return pwrite(*(int *)arg, data, 1, 0) == 1 ? NULL : arg; }
        main:
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 200; ++i) {
            in_threads(1, work, &fd);
        }
        """
    (process,) = record(program, {"WEIR_TRACE_LIMIT": "1M"})
    assert sum(len(stream.records) for stream in process.streams) == 201
    assert not process.lost


def test_clocks_of_a_program_that_is_killed_early(record: Record, tmp_path: Path) -> None:
    program = """
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        for (int i = 0; i < 4; ++i) {
            pwrite(fd, data, 1, 0);
            usleep(60000);
        }
        pwrite(fd, data, 1, 0);
        raise(SIGKILL);
        """
    (process,) = record(program, status=-9)
    (path,) = (tmp_path / "trace").glob("*.records")
    head = np.fromfile(path, HEAD, 1)[0]
    assert head["end_monotonic_ns"] - head["start_monotonic_ns"] > 200e6
    assert head["end_ticks"] >= process.streams[0].records["end_ticks"][-1]


SMALL_STACK = """
//# 1 open //# 1 write //# 6001 stat //# 1 rename //# 1 unlink //# 1 close
static int io(void) {
    struct stat facts;
    int fd = open("a", O_RDWR | O_CREAT, 0644);
    int bad = fd < 0 || write(fd, data, 8) != 8 || stat("a", &facts) != 0;
    bad |= rename("a", "b") != 0 || unlink("b") != 0 || close(fd) != 0;
    for (int i = 0; i < 6000; ++i) bad |= stat("none", &facts) == 0;
    return bad;
}
"""

PROGRAMS = {
    "closes all descriptors again and again": """
        //# 15000 pwrite
        for (int round = 0; round < 5; ++round) {
            int fd = open("a", O_RDWR | O_CREAT, 0644);
            if (fd != 3) return 1;
            for (int i = 0; i < 3000; ++i) if (pwrite(fd, data, 1, i) != 1) return 2;
            if (round % 2 == 0) {
                closefrom(3);
            } else {
                for (int i = 3; i < 1024; ++i) if ((close(i) == 0) != (i == 3)) return 3;
            }
        }
        struct stat facts;
        return stat("a", &facts) != 0 || facts.st_size != 3000;
        """,
    # As many as its threads need at a time, and not one more.
    "uses descriptors up to its limit": """
        //# 24000 pwrite
        enum { threads = 8, times = 3000 };
        static int failed;
        static void *work(void *which) {
            char name[40];
            for (int i = 0; i < times; ++i) {
                snprintf(name, sizeof name, "f%ld-%d", (long)which, i % 700);
                int fd = open(name, O_RDWR | O_CREAT, 0644);
                if (fd < 0) { __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED); continue; }
                pwrite(fd, data, 1, 0);
                close(fd);
            }
            return NULL;
        }
        main:
        struct rlimit limit = {3 + threads, 3 + threads};
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 77;
        pthread_t thread[threads];
        for (long i = 0; i < threads; ++i) pthread_create(&thread[i], NULL, work, (void *)i);
        for (int i = 0; i < threads; ++i) pthread_join(thread[i], NULL);
        return failed > 0;
        """,
    "looks at errno": """
        char name[30];
        errno = 77;
        for (int i = 0; i < 5000; ++i) {
            snprintf(name, sizeof name, "f%d", i % 50);
            int fd = open(name, O_RDWR | O_CREAT, 0644);
            write(fd, data, 10);
            struct stat facts;
            fstat(fd, &facts);
            close(fd);
            FILE *stream = fopen(name, "r+");
            errno = 77;
            fputs("text", stream);
            fread(data, 1, 3, stream);
            if (errno != 77) return 2;
            fclose(stream);
            if (errno != 77) return 1;
        }
        """,
    "has threads with the smallest stack": SMALL_STACK
    + """
        static void *work(void *bad) { *(int *)bad = io(); return NULL; }
        main:
        int bad = 1;
        pthread_attr_t attributes;
        pthread_t thread;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
        if (pthread_create(&thread, &attributes, work, &bad) != 0) return 2;
        pthread_join(thread, NULL);
        return bad;
        """,
    "has a signal handler with a stack of its own": SMALL_STACK
    + """
        static volatile int bad = 1;
        static void handle(int signal) { (void)signal; bad = io(); }
        main:
        size_t frame = getauxval(51); /* AT_MINSIGSTKSZ */
        size_t bytes = ((frame > 2048 ? frame : 2048) + 6144 + 4095) / 4096 * 4096;
        int memory = MAP_PRIVATE | MAP_ANONYMOUS;
        char *place = mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE, memory, -1, 0);
        mprotect(place, 4096, PROT_NONE);
        stack_t stack = {.ss_sp = place + 4096, .ss_size = bytes};
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
        if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) return 2;
        raise(SIGUSR1);
        return bad;
        """,
    "is refused strict seccomp": """
        //# 30 write
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        if (prctl(PR_SET_SECCOMP, 99, 0, 0, 0) == 0 || errno != EINVAL) return 1;
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 99, 8) == 0) return 2;
        for (int i = 0; i < 30; ++i) if (write(fd, data, 10) != 10) return 3;
        """,
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_program_does_what_it_does_and_all_is_recorded(record: Record, what: str) -> None:
    """Comments `//# COUNT CALL` tell how often, over all threads."""
    bound_at_once = ["-Wl,-z,now"] if "handler" in what else []
    (process,) = record(PROGRAMS[what], options=("-O1", *bound_at_once))
    made = Counter(row[0] for row in calls_of_all_threads(process))
    for count, name in re.findall(r"//# (\d+) (\w+)", PROGRAMS[what]):
        assert made[name] == int(count)
    assert process.ended and not process.lost


def test_what_threads_need_for_names_is_given_back(record: Record) -> None:
    program = """
        static void *work(void *arg) {
            struct stat facts;
            return stat("none", &facts) == 0 ? arg : NULL;
        }
        static int mappings(void) {
            int lines = 0, c;
            FILE *maps = fopen("/proc/self/maps", "r");
            while ((c = getc(maps)) != EOF) lines += c == 10;
            fclose(maps);
            return lines;
        }
        main:
        int before = 0;
        for (int i = 0; i < 1000; ++i) {
            pthread_t thread;
            if (i == 10) before = mappings();
            if (pthread_create(&thread, NULL, work, NULL) != 0) return 2;
            pthread_join(thread, NULL);
        }
        return mappings() > before + 100;
        """
    record(program, {"WEIR_TRACE_ONLY": "/nowhere"})
