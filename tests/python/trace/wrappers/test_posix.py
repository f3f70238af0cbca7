"""Every call, byte, offset and file of programs whose I/O is known."""

import os
from pathlib import Path

import pytest

from weir.explain.summarise import summarise
from weir.trace.load import load_trace
from weir.trace.process import Process

from ..programs import Record, assert_told, calls

PROGRAMS = {
    "reads and writes with their offsets": """
        struct iovec two[2] = {{data, 10}, {data, 20}};
        int fd = open("a", O_RDWR | O_CREAT, 0644);     //= open a -1 66
        write(fd, data, 100);                           //= write a 0 100 100
        writev(fd, two, 2);                             //= writev a 100 30 30
        pwrite(fd, data, 50, 1000);                     //= pwrite a 1000 50 50
        lseek(fd, 5, SEEK_SET);                         //= lseek a 5 0 5
        read(fd, data, 7);                              //= read a 5 7 7
        pread(fd, data, 3000, 900);                     //= pread a 900 3000 150
        ftruncate(fd, 10);                              //= ftruncate a -1 10 0
        fsync(fd);                                      //= fsync a -1 0 0
        close(fd);                                      //= close a -1 0 0
        """,
    "duplicates share a position and appends go to the end": """
        int fd = open("a", O_RDWR | O_CREAT, 0644), other = dup(fd);    //= open; dup
        write(fd, data, 8);                                             //= write a 0
        write(other, data, 8);                                          //= write a 8
        int end = open("a", O_WRONLY | O_APPEND);                       //= open
        write(end, data, 4);                                            //= write a 16
        pwrite(fd, data, 1, 100);                                       //= pwrite
        write(end, data, 4);                                            //= write a 101
        """,
    "failures have their error number": """
        struct stat facts;
        int fd = open("not-there", O_RDONLY);       //= open not-there -1 * -2
        fd = open("a", O_RDONLY | O_CREAT, 0644);   //= open a
        write(fd, data, 5);                         //= write a * 5 -9
        stat("nor-this", &facts);                   //= stat nor-this -1 0 -2
        unlink("a");                                //= unlink a -1 0 0
        """,
    "a descriptor instead of a name": """
        struct stat facts;
        struct statx more;
        int fd = open("a", O_RDWR | O_CREAT, 0644);                             //= open a
        if (fstatat(fd, "", &facts, AT_EMPTY_PATH) != 0) return 1;              //= fstatat a
        if (statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &more) != 0) return 2;     //= statx a
        if (fstatat(fd, "", &facts, 0) == 0) return 3;
        if (fstatat(AT_FDCWD, "", &facts, AT_EMPTY_PATH) != 0) return 4;        //= fstatat store
        if (futimesat(fd, NULL, NULL) != 0) return 5;                           //= futimesat a
        symlink("a", "c");                                                      //= symlink c
        int link_itself = open("c", O_PATH | O_NOFOLLOW);                       //= open c
        if (readlinkat(link_itself, "", data, 100) != 1) return 6;              //= readlinkat c
        int made = linkat(link_itself, "", AT_FDCWD, "d", AT_EMPTY_PATH);       //= linkat d
        return made != 0 && errno != ENOENT;
        """,
    "a file that begins to append": """
        int fd = open("a", O_RDWR | O_CREAT, 0644);     //= open
        write(fd, data, 100);                           //= write a 0
        lseek(fd, 0, SEEK_SET);                         //= lseek
        fcntl(fd, F_SETFL, O_APPEND);
        write(fd, data, 10);                            //= write a 100
        """,
    "offsets of writes to a file that appends mean nothing": """
        struct iovec two[2] = {{data, 3}, {data, 4}};
        int fd = open("a", O_RDWR | O_CREAT | O_APPEND, 0644);      //= open
        pwrite(fd, data, 10, 0);                                    //= pwrite a 0 10 10
        pwrite(dup(fd), data, 10, 0);                               //= dup; pwrite a 10 10 10
        pwritev(fd, two, 2, 1000);                                  //= pwritev a 20 7 7
        pwritev2(fd, two, 2, 5, 0);                                 //= pwritev2 a 27 7 7
        pread(fd, data, 5, 2);                                      //= pread a 2 5 5
        write(fd, data, 6);                                         //= write a 34 6 6
        fcntl(fd, F_SETFL, 0);
        pwrite(fd, data, 10, 1);                                    //= pwrite a 1 10 10
        fcntl(fd, F_SETFL, O_APPEND);
        pwrite(fd, data, 10, 1);                                    //= pwrite a 40 10 10
        """,
    "a single write appends": """
        struct iovec one = {data, 8};
        int fd = open("a", O_RDWR | O_CREAT, 0644);         //= open
        write(fd, data, 100);                               //= write a 0
        lseek(fd, 10, SEEK_SET);                            //= lseek
        pwritev2(fd, &one, 1, 20, RWF_APPEND);              //= pwritev2 a 100 8 8
        write(fd, data, 1);                                 //= write a 10
        pwritev2(fd, &one, 1, -1, RWF_APPEND);              //= pwritev2 a 108 8 8
        write(fd, data, 1);                                 //= write a 116
        """,
    "asynchronous writes append": """
        int fd = open("a", O_RDWR | O_CREAT | O_APPEND, 0644);      //= open
        struct aiocb some[3] = {{0}}, *list[3] = {&some[0], &some[1], &some[2]};
        struct aiocb const *wait_for[3] = {&some[0], &some[1], &some[2]};
        for (int i = 0; i < 3; i++) {
            some[i].aio_fildes = fd, some[i].aio_buf = data, some[i].aio_nbytes = 10 + i;
            some[i].aio_lio_opcode = LIO_WRITE;
        }
        aio_write(&some[0]);                                        //= aio_write a 0 10 10
        aio_write(&some[1]);                                        //= aio_write a 10 11 11
        while (aio_error(&some[0]) || aio_error(&some[1])) aio_suspend(wait_for, 2, NULL);   //? aio_suspend
        aio_return(&some[0]);                                       //= aio_return a -1 10 10
        aio_return(&some[1]);                                       //= aio_return a -1 11 11
        //= lio_listio a 21; lio_listio a 31; lio_listio a 42; lio_listio
        lio_listio(LIO_WAIT, list, 3, NULL);
        """,
    "a number that comes again is another file": """
        int fd = open("f0", O_RDWR | O_CREAT, 0644);    //= open
        write(fd, data, 1);                             //= write f0 * * 1
        close(fd);                                      //= close
        fd = open("f1", O_RDWR | O_CREAT, 0644);        //= open
        write(fd, data, 2);                             //= write f1 * * 2
        close(fd);                                      //= close
        fd = open("f0", O_RDWR);                        //= open
        dup2(open("f1", O_RDWR), fd);                   //= open; dup2
        write(fd, data, 50);                            //= write f1 * * 50
        """,
    "directories, links and attributes": """
        //? readdir
        int entries = 0;
        mkdir("d", 0755);                               //= mkdir d -1 * 0
        close(open("d/a", O_RDWR | O_CREAT, 0644));     //= open; close
        link("d/a", "d/b");                             //= link * -1 0 0
        symlink("a", "d/c");                            //= symlink
        chmod("d/a", 0600);                             //= chmod
        DIR *folder = opendir("d");                     //= opendir
        while (readdir(folder) != NULL) ++entries;
        closedir(folder);                               //= closedir
        readlink("d/c", data, 100);                     //= readlink
        rename("d/b", "d/e");                           //= rename * * * 0
        unlink("d/a"); unlink("d/c"); unlink("d/e");    //= unlink * -1 0 0; unlink * -1 0 0; unlink * -1 0 0
        rmdir("d");                                     //= rmdir * -1 0 0
        return entries == 5 ? 0 : 1;
        """,
    "system calls by the C library": """
        int fd = syscall(SYS_openat, AT_FDCWD, "a", O_RDWR | O_CREAT, 0644);        //= openat a
        if (syscall(SYS_write, fd, data, 100L) != 100) return 1;                    //= write * 0 100 100
        if (syscall(SYS_pwrite64, fd, data, 50L, 1000L) != 50) return 2;            //= pwrite * 1000 50 50
        if (syscall(SYS_lseek, fd, 5L, SEEK_SET) != 5) return 3;                    //= lseek * 5 0 5
        if (syscall(SYS_read, fd, data, 7L) != 7) return 4;                         //= read * 5 7 7
        if (syscall(SYS_read, -1, data, 7L) != -1 || errno != EBADF) return 5;
        if (syscall(SYS_getpid) != getpid()) return 6;
        if (syscall(SYS_close, fd) != 0) return 7;                                  //= close * -1 0 0
        return syscall(9999) == -1 && errno == ENOSYS ? 0 : 8;
        """,
    "what is no pointer is refused as without the recorder": """
        #define REFUSED(call, why) if ((call) != -1 || errno != (why)) return __LINE__
        main:
        volatile long eight = 8;
        char *bad = (char *)eight;
        struct iovec *pieces = (struct iovec *)eight, one = {data, 100};
        struct stat facts;
        int fd = open("a", O_RDWR | O_CREAT, 0644);     //= open a -1 66 3
        REFUSED(writev(fd, pieces, 1), EFAULT);         //= writev a 0 0 -14
        REFUSED(preadv(fd, pieces, 1, 0), EFAULT);      //= preadv a 0 0 -14
        REFUSED(readv(fd, &one, 1 << 20), EINVAL);      //= readv a 0 0 -22
        REFUSED(stat(bad, &facts), EFAULT);
        REFUSED(open(bad, O_RDONLY), EFAULT);
        REFUSED(unlinkat(AT_FDCWD, bad, 0xFFFF), EINVAL);
        REFUSED(rename("a", bad), EFAULT);
        REFUSED(mkdir(bad, 0700), EFAULT);
        if (writev(fd, &one, 1) != 100) return 2;       //= writev a 0 100 100
        REFUSED(stat("none", &facts), ENOENT);          //= stat none -1 0 -2
        """,
    "names and descriptors beyond all measure": """
        //? setrlimit
        static char name[5000];
        struct stat facts;
        struct rlimit limit;
        memset(name, 'x', 4998);
        if (open(name, O_RDONLY) >= 0 || errno != ENAMETOOLONG) return 1;       //= open * * * -36
        name[4000] = 0;
        if (stat(name, &facts) == 0 || errno != ENAMETOOLONG) return 2;         //= stat * * * -36
        int fd = open("a", O_RDWR | O_CREAT, 0644);                             //= open
        write(fd, data, 3);                                                     //= write
        getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        int far = limit.rlim_max > 1200000 ? 1100000 : limit.rlim_max - 1;
        int high = fcntl(fd, F_DUPFD, far);                                     //= fcntl
        if (high < 0) return 3;
        write(high, data, 4);                                                   //= write a 3 4 4
        pwrite(high, data, 5, 100);                                             //= pwrite a 100 5 5
        close(high);                                                            //= close a -1 0 0
        """,
    "interrupted calls are interrupted": """
        static void nothing(int signal) { (void)signal; }
        static void *wake(void *thread) {
            for (;;) { usleep(1000); pthread_kill(*(pthread_t *)thread, SIGUSR1); }
            return NULL;
        }
        main:
        mkfifo("pipe", 0600);                               //= mkfifo
        struct sigaction action = {.sa_handler = nothing};
        sigaction(SIGUSR1, &action, NULL);
        pthread_t self = pthread_self(), other;
        int fd = open("pipe", O_RDWR);                      //= open
        pthread_create(&other, NULL, wake, &self);
        ssize_t n = read(fd, data, 10);                     //= read pipe -1 10 -4
        return n == -1 && errno == EINTR ? 0 : 1;
        """,
    "duplicates of which one is closed": """
        int fd = open("a", O_RDWR | O_CREAT, 0644);             //= open
        int other = dup(fd), third = fcntl(fd, F_DUPFD, 40);    //= dup; fcntl
        close(other);                                           //= close
        int b = open("b", O_RDWR | O_CREAT, 0644);              //= open
        write(b, data, 100);                                    //= write b 0 100
        write(fd, data, 8);                                     //= write a 0 8
        close(fd);                                              //= close
        int c = open("c", O_RDWR | O_CREAT, 0644);              //= open
        write(c, data, 30);                                     //= write c 0 30
        write(third, data, 8);                                  //= write a 8 8
        write(b, data, 1);                                      //= write b 100 1
        """,
    # It is asked for the descriptor's name no second time, when the file has another.
    "a range that is closed at exec only stays open": """
        #define CLOSE_ON_EXEC 4
        main:
        int fd = open("a", O_RDWR | O_CREAT, 0644);                     //= open
        write(fd, data, 10);                                            //= write a 0 10
        rename("a", "b");                                               //= rename
        if (close_range(fd, fd, CLOSE_ON_EXEC) != 0) return 77;         //= close_range
        write(fd, data, 20);                                            //= write a 10 20
        if (close_range(fd, fd, 0) != 0) return 1;                      //= close_range
        fd = open("c", O_RDWR | O_CREAT, 0644);                         //= open
        write(fd, data, 5);                                             //= write c 0 5
        """,
    "files in memory": """
        int fd = open("a", O_RDWR | O_CREAT, 0644);                                 //= open
        ftruncate(fd, 20000);                                                       //= ftruncate
        int both = PROT_READ | PROT_WRITE;
        char *place = mmap(NULL, 4096, both, MAP_SHARED, fd, 8192);                 //= mmap a 8192 4096 0
        if (place == MAP_FAILED) return 1;
        place[7] = 1;
        if (msync(place, 4096, MS_SYNC) != 0) return 2;                             //= msync - -1 4096 0
        // No file, whatever the descriptor says.
        if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, fd, 0) == MAP_FAILED) return 3;
        void *none = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 1);                //= mmap a 1 4096 -22
        return none == MAP_FAILED && errno == EINVAL ? 0 : 4;
        """,
    "asynchronous writes and syncs are started and come back": """
        //? aio_suspend
        int fd = open("a", O_RDWR | O_CREAT, 0644);         //= open * * * * * 0
        struct aiocb one = {.aio_fildes = fd, .aio_buf = data, .aio_nbytes = 100, .aio_offset = 5};
        struct aiocb two = one;
        two.aio_offset = 0; two.aio_nbytes = 30; two.aio_lio_opcode = LIO_READ;
        struct aiocb const *wanted[] = {&one};
        struct aiocb *list[] = {&two};
        if (aio_write(&one) != 0) return 2;                 //= aio_write a 5 100 100 write 4
        while (aio_error(&one) == EINPROGRESS) aio_suspend(wanted, 1, NULL);
        int sum = aio_return(&one);                         //= aio_return a 5 100 100
        if (aio_fsync(O_SYNC, &one) != 0) return 3;         //= aio_fsync a -1 0 0 sync 4
        while (aio_error(&one) == EINPROGRESS) aio_suspend(wanted, 1, NULL);
        if (aio_return(&one) != 0) return 4;                //= aio_return
        lio_listio(LIO_WAIT, list, 1, NULL);                //= lio_listio a 0 30 30; lio_listio - -1 0 0
        return sum + aio_return(&two) == 130 ? 0 : 1;       //= aio_return a 0 30 30
        """,
    "requests of a list that was waited for": """
        //? open //? pwrite
        int fd = open("a", O_RDWR | O_CREAT, 0644), closed = dup(fd);   //= dup
        if (pwrite(fd, data, 40, 0) != 40) return 1;
        struct aiocb part = {.aio_fildes = fd, .aio_buf = data, .aio_nbytes = 100};
        part.aio_lio_opcode = LIO_READ;
        struct aiocb whole = part, bad = part;
        whole.aio_lio_opcode = LIO_WRITE; whole.aio_offset = 200;
        bad.aio_fildes = open("a", O_WRONLY);
        struct aiocb *list[] = {&part, NULL, &whole, &bad};
        int flags = LIO_WAIT;                               //= lio_listio a 0 100 40 read 0
        lio_listio(flags, list, 4, NULL);                   //= lio_listio a 200 100 100 write 0
        return closed < 0;                                  //= lio_listio a 0 100 -9 read 0; lio_listio -
        """,
    "vectors at the file's own position": """
        struct iovec two[2] = {{data, 10}, {data, 20}};
        int fd = open("a", O_RDWR | O_CREAT, 0644);         //= open
        if (pwritev2(fd, two, 2, -1, 0) != 30) return 1;    //= pwritev2 a 0 30 30
        if (pwritev2(fd, two, 2, 100, 0) != 30) return 1;   //= pwritev2 a 100 30 30
        if (pwritev2(fd, two, 1, -1, 0) != 10) return 2;    //= pwritev2 a 30 10 10
        lseek(fd, 5, SEEK_SET);                             //= lseek
        if (preadv2(fd, two, 2, -1, 0) != 30) return 3;     //= preadv2 a 5 30 30
        if (preadv2(fd, two, 1, 110, 0) != 10) return 3;    //= preadv2 a 110 10 10
        return read(fd, data, 3) == 3 ? 0 : 4;              //= read a 35 3 3
        """,
    "a pipe and a file": """
        int pipes[2], from = open("from", O_RDWR | O_CREAT, 0644), to = open("to", O_RDWR | O_CREAT, 0644);
        //? open //? pipe //? pwrite
        off_t at = 30, there = 70;
        if (pipe(pipes) != 0) return 1;
        pwrite(from, data, 100, 0);
        if (splice(from, &at, pipes[1], NULL, 50, 0) != 50) return 2;       //= splice from 30 50 50 read
        if (splice(pipes[0], NULL, to, &there, 50, 0) != 50) return 3;      //= splice to 70 50 50 write
        if (splice(from, NULL, pipes[1], NULL, 20, 0) != 20) return 4;      //= splice from 0 20 20 read
        if (splice(pipes[0], NULL, to, NULL, 20, 0) != 20) return 5;        //= splice to 0 20 20 write
        """,
    "what runs before and after main": """
        __attribute__((constructor)) static void first(void) {
            int fd = open("a", O_RDWR | O_CREAT, 0644);     //= open a
            write(fd, data, 9);                             //= write a
        }
        __attribute__((destructor)) static void last(void) {
            int fd = open("b", O_RDWR | O_CREAT, 0644);     //= open b
            write(fd, data, 7);                             //= write b
        }
        int main(void) { return 0; }
        """,
}


INHERITED = """
int fd = open("a", O_RDWR | O_CREAT | O_APPEND, 0644);
pwrite(fd, data, 10, 0);
if (fork() == 0) {
    pwrite(fd, data, 2, 0);
    exit(0);
}
wait(NULL);
pwrite(fd, data, 3, 0);
"""


def test_an_inherited_file_appends(record: Record) -> None:
    parent, child = sorted(record(INHERITED), key=lambda one: one.began_ns)
    written = [(offset, length) for call, _, offset, length, _ in calls(parent) if call == "pwrite"]
    assert written == [(0, 10), (12, 3)]
    assert calls(child) == [("pwrite", "a", 10, 2, 2)]


@pytest.mark.parametrize("which", PROGRAMS)
def test_calls(record: Record, which: str) -> None:
    (process,) = record(PROGRAMS[which])
    assert_told(PROGRAMS[which], calls_with_kinds(process))
    assert process.ended


def calls_with_kinds(process: Process) -> list[tuple[object, ...]]:
    """A program's calls, behind each whether it reads or writes, and its flags; 4 is started."""
    records = process.streams[0].records
    facts = [(process.names.calls[int(one["call"])].kind, one["flags"]) for one in records]
    return [(*row, *more) for row, more in zip(calls(process), facts, strict=True)]


@pytest.fixture
def copies(tmp_path: Path) -> None:
    """Skips the test where the system does not copy between files of its folder by itself."""
    (tmp_path / "one").write_bytes(b"1")
    with (tmp_path / "one").open("rb") as one, (tmp_path / "other").open("wb") as other:
        try:
            works = os.copy_file_range(one.fileno(), other.fileno(), 1) == 1
        except OSError:
            works = False
    if not works:
        pytest.skip("copy_file_range() does not work here")


@pytest.mark.usefixtures("copies")
def test_copies_inside_the_system_read_one_file_and_write_the_other(record: Record) -> None:
    program = """
        int from = open("from", O_RDWR | O_CREAT, 0644), to = open("to", O_RDWR | O_CREAT, 0644);
        //? open //? lseek
        off_t at = 100, there = 50;
        ssize_t got;
        write(from, data, 1000);                                //= write from 0 1000 1000
        lseek(from, 0, SEEK_SET);
        got = copy_file_range(from, &at, to, &there, 200, 0);   //= copy_file_range from 100 200 200 read
        if (got != 200) return 1;                               //= copy_file_range to 50 200 200 write
        got = copy_file_range(from, 0, to, 0, ~0ul >> 1, 0);    //= copy_file_range from 0 1000 1000 read
        if (got != 1000) return 2;                              //= copy_file_range to 0 1000 1000 write
        got = sendfile(to, from, &at, 30);                      //= sendfile from 300 30 30 read
        if (got != 30) return 3;                                //= sendfile to 1000 30 30 write
        lseek(from, 7, SEEK_SET);
        got = sendfile(to, from, NULL, 40);                     //= sendfile from 7 40 40 read
        if (got != 40) return 4;                                //= sendfile to 1030 40 40 write
        write(to, data, 5);                                     //= write to 1070 5 5
        read(from, data, 6);                                    //= read from 47 6 6
        got = sendfile(to, from, (off_t *)8, 40);               //= sendfile from -1 40 -14 read
        if (got != -1 || errno != EFAULT) return 5;             //= sendfile to 1075 40 -14 write
        """
    (process,) = record(program, env={"WEIR_TRACE_EXCLUDE": "/nowhere"})
    assert_told(program, calls_with_kinds(process))


COPIES = """
int from = open("from", O_RDWR | O_CREAT, 0644), to = open("to", O_RDWR | O_CREAT, 0644);
if (ftruncate(from, 1 << 20) != 0) return 1;
for (int i = 0; i < COUNT; ++i) {
    off_t at = 4096 * (i % 200), there = at;
    if (copy_file_range(from, &at, to, &there, 4096, 0) != 4096) return 2;
}
"""


@pytest.mark.usefixtures("copies")
def test_a_call_between_two_files_counts_once(record: Record, tmp_path: Path) -> None:
    excluded = {"WEIR_TRACE_EXCLUDE": "/nowhere"}
    record(COPIES.replace("COUNT", "16"), env=excluded)
    trace = load_trace(tmp_path / "trace")
    summary = summarise(trace)
    (row,) = [row for row in summary.operations if row.name == "copy_file_range"]
    assert (row.kind, row.count, row.bytes) == ("write", 16, 16 * 4096)
    transfers = {one.kind: one for one in summary.transfers}
    for kind in ("read", "write"):
        assert (transfers[kind].requests, transfers[kind].bytes) == (16, 16 * 4096)
        assert transfers[kind].total_s == pytest.approx(row.total_s, rel=0.01, abs=32e-9)
    (rank,) = summary.ranks
    assert rank.bytes_read == rank.bytes_written == 16 * 4096
    assert rank.read_s + rank.write_s == pytest.approx(row.total_s)
    assert summary.head.calls == trace.records - 16
    files = {Path(one.file).name: one for one in summary.files}
    assert (files["from"].reads, files["to"].writes) == (16, 16)


@pytest.mark.usefixtures("copies")
def test_a_call_between_two_files_is_lost_once(record: Record, tmp_path: Path) -> None:
    bounds = {"WEIR_TRACE_EXCLUDE": "/nowhere", "WEIR_TRACE_LIMIT": "64KiB"}
    (process,) = record(COPIES.replace("COUNT", "3000"), env=bounds)
    trace = load_trace(tmp_path / "trace")
    kept = sum(row[:2] == ("copy_file_range", "to") for row in calls(process))
    (lost,) = [one for one in trace.lost if one.call == "POSIX copy_file_range"]
    assert kept > 0 and kept + lost.calls == 3000
    assert lost.bytes == lost.calls * 4096


def test_of_a_copy_only_the_wanted_file_is_recorded(record: Record, tmp_path: Path) -> None:
    program = """
        int from = open("from", O_RDWR | O_CREAT, 0644);
        int to = open("to", O_RDWR | O_CREAT, 0644);        //= open
        off_t at = 0;
        write(from, data, 10);
        sendfile(to, from, &at, 10);                        //= sendfile to 0 10 10
        write(to, data, 1);                                 //= write to 10 1 1
        """
    (process,) = record(program, env={"WEIR_TRACE_ONLY": str(tmp_path / "store" / "to")})
    assert_told(program, calls(process))


def test_only_wanted_files_are_recorded(record: Record) -> None:
    body = """
        struct stat facts;
        int fd = open("/etc/hostname", O_RDONLY);
        read(fd, data, 10);
        fd = open("a", O_RDWR | O_CREAT, 0644);
        write(fd, data, 10);
        write(1, "", 0);
        """
    (process,) = record(body)
    assert {row[1] for row in calls(process)} == {"a"}
