"""The names of files that calls by relative names refer to, while directories are renamed and left."""

import re
from pathlib import Path

import pytest

from running import ended
from weir.trace.process import Process

from ..programs import RECORDER, Record, compiled, need, need_strace

FACTS = "struct stat facts;\n"
PROGRAMS = {
    "a directory that was renamed, and one whose descriptor was reused": """
        mkdir("d", 0755); mkdir("e", 0755);
        int fd = open("d", O_RDONLY | O_DIRECTORY);
        fstatat(fd, "one", &facts, 0);              //= d/one
        fstatat(fd, "./one", &facts, 0);            //= d/one
        rename("d", "f");
        fstatat(fd, "two", &facts, 0);              //= f/two
        close(fd);
        if (open("e", O_RDONLY | O_DIRECTORY) != fd) return 1;
        fstatat(fd, "three", &facts, 0);            //= e/three
        dup2(open("f", O_RDONLY | O_DIRECTORY), fd);
        fstatat(fd, "four", &facts, 0);             //= f/four
        close_range(3, ~0U, 0);
        if (open("e", O_RDONLY | O_DIRECTORY) != fd) return 2;
        fstatat(fd, "five", &facts, 0);             //= e/five
        """,
    "the current directory, changed in all ways": """
        mkdir("d", 0755); mkdir("d/e", 0755);
        stat("one", &facts);                        //= one
        chdir("d");
        stat("one", &facts);                        //= d/one
        syscall(SYS_chdir, "e");
        stat("one", &facts);                        //= d/e/one
        int fd = open("../..", O_RDONLY | O_DIRECTORY);
        syscall(SYS_rename, "../../d", "../../f");
        stat("two", &facts);                        //= f/e/two
        syscall(SYS_fchdir, fd);
        stat("two", &facts);                        //= two
        """,
    "the current directory, changed by the C library": """
        #include <ftw.h>
        #include <fts.h>
        static struct stat facts;
        static int visit(char const *path, struct stat const *its, int kind, struct FTW *where) {
            return stat("seen", &facts), 0;
        }
        main:
        mkdir("d", 0755); close(creat("d/a", 0644));
        stat("seen", &facts);                       //= seen
        nftw("d", visit, 4, FTW_CHDIR | FTW_PHYS);  //= seen; d/seen
        stat("seen", &facts);                       //= seen
        char *roots[] = {"d", NULL};
        FTS *walk = fts_open(roots, FTS_PHYSICAL, NULL);
        for (FTSENT *at; (at = fts_read(walk)) != NULL;) {
            if (at->fts_info == FTS_F) stat("also", &facts);    //= d/also
        }
        fts_close(walk);
        stat("also", &facts);                       //= also
        """,
    "files opened where no link can be": """
        mkdir("d", 0755); symlink("d", "link"); symlink("a", "d/b");
        int fd = open("link", O_RDONLY | O_DIRECTORY);
        int made = openat(fd, "a", O_RDWR | O_CREAT | O_EXCL, 0644);
        fstat(made, &facts);                                                        //= d/a
        fstat(openat(fd, "a", O_RDONLY | O_NOFOLLOW), &facts);                      //= d/a
        fstat(openat(fd, "b", O_RDONLY), &facts);                                   //= d/a
        fstat(openat(fd, ".", O_RDONLY | O_NOFOLLOW | O_DIRECTORY), &facts);        //= d
        fstat(openat(fd, "..", O_RDONLY | O_NOFOLLOW | O_DIRECTORY), &facts);       //=
        fstat(open("link/a", O_RDONLY | O_NOFOLLOW), &facts);                       //= d/a
        mkdirat(fd, "e", 0755);
        int inner = openat(fd, "e", O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
        fstatat(inner, "x", &facts, 0);                                             //= d/e/x
        int other = fcntl(inner, F_DUPFD_CLOEXEC, 100);
        close(inner);
        fstatat(other, "y", &facts, 0);                                             //= d/e/y
        DIR *stream = fdopendir(other);
        fstatat(dirfd(stream), "z", &facts, 0);                                     //= d/e/z
        """,
    "directories that a message brought, into a descriptor that was closed as one of a range": """
        #include <sys/socket.h>
        static struct stat facts;
        static int sent(int pair[2], int fd) {
            char byte = 0, room[CMSG_SPACE(sizeof fd)] = {0};
            struct iovec one = {&byte, 1};
            struct msghdr message = {NULL, 0, &one, 1, room, sizeof room, 0};
            struct cmsghdr *head = CMSG_FIRSTHDR(&message);
            head->cmsg_len = CMSG_LEN(sizeof fd);
            head->cmsg_level = SOL_SOCKET;
            head->cmsg_type = SCM_RIGHTS;
            memcpy(CMSG_DATA(head), &fd, sizeof fd);
            if (sendmsg(pair[0], &message, 0) != 1 || recvmsg(pair[1], &message, 0) != 1) return -1;
            memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
            return fd;
        }
        main:
        mkdir("d", 0755); mkdir("e", 0755);
        int d = open("d", O_RDONLY | O_DIRECTORY), e = open("e", O_RDONLY | O_DIRECTORY), pair[2];
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
        int came = sent(pair, d);
        fstatat(came, "one", &facts, 0);            //= d/one
        close_range(came, ~0U, 0);
        if (sent(pair, e) != came) return 1;
        fstatat(came, "two", &facts, 0);            //= e/two
        """,
}


def stats(process: Process, store: Path) -> list[str]:
    """The files that were asked for, relative to the folder of the program."""
    names, files = process.names.calls, process.names.files
    wanted = ("stat", "fstat", "fstatat")
    rows = [one for stream in process.streams for one in stream.records]
    found = [files[int(one["file"])].name for one in rows if names[int(one["call"])].name in wanted]
    return ["" if Path(one) == store else str(Path(one).relative_to(store)) for one in found]


@pytest.mark.parametrize("which", PROGRAMS)
def test_names(record: Record, tmp_path: Path, which: str) -> None:
    source = PROGRAMS[which]
    (process,) = record(source if "main:" in source else FACTS + source)
    told = [one.strip() for line in re.findall("//=(.*)", source) for one in line.split(";")]
    assert stats(process, tmp_path / "store") == told


def test_a_name_in_the_root_begins_with_one_slash(record: Record) -> None:
    (process,) = record(
        FACTS
        + """
        chdir("/");
        stat("weir-nowhere", &facts);
        fstatat(open(".", O_RDONLY | O_DIRECTORY), "weir-nowhere", &facts, 0);
        """
    )
    found = [file.name for file in process.names.files.values() if "weir-nowhere" in file.name]
    assert found == ["/weir-nowhere"]


@pytest.mark.parametrize(
    ("only", "exclude", "kept"),
    [
        ("{d}", "", ["d/e/x", "d/f/x", "d/x"]),
        ("{d}/e", "", ["d/e/x"]),
        ("", "{d}/e", ["d/f/x", "d/x", "x"]),
        ("{d}/", "{d}/f/:{d}/x", ["d/e/x"]),
        ("{d}/e/x:{d}/f/y", "", ["d/e/x"]),
    ],
)
def test_prefixes_hold_for_relative_names(
    record: Record, tmp_path: Path, only: str, exclude: str, kept: list[str]
) -> None:
    store = tmp_path / "store"
    program = """
        struct stat facts;
        mkdir("d", 0755); mkdir("d/e", 0755); mkdir("d/f", 0755);
        int fd = open("d", O_RDONLY | O_DIRECTORY), e = openat(fd, "e", O_NOFOLLOW | O_DIRECTORY);
        for (int again = 0; again < 2; ++again) {
            fstatat(e, "x", &facts, 0); fstatat(fd, "f/x", &facts, 0); fstatat(fd, "x", &facts, 0);
            stat("x", &facts);
        }
        """
    names = {"WEIR_TRACE_ONLY": only, "WEIR_TRACE_EXCLUDE": exclude or "/nowhere"}
    (process,) = record(program, env={name: text.format(d=store / "d") for name, text in names.items()})
    assert sorted(stats(process, store)) == sorted(2 * kept)


def test_asking_for_files_takes_no_system_calls_of_the_recorder(tmp_path: Path) -> None:
    need()
    need_strace()
    program = compiled(
        tmp_path,
        """
        struct stat facts;
        char name[20];
        int fd = open(".", O_RDONLY | O_DIRECTORY);
        for (int i = 0; i < 500; ++i) {
            sprintf(name, "file-%d", i);
            int made = openat(fd, name, O_RDWR | O_CREAT | O_EXCL, 0644);
            fstat(made, &facts); close(made);
            stat(name, &facts); fstatat(fd, name, &facts, 0); access(name, F_OK);
        }
        """,
    )
    (tmp_path / "trace").mkdir()
    (tmp_path / "store").mkdir()
    counts = tmp_path / "counts"
    recorder = ["-E", f"LD_PRELOAD={RECORDER}", "-E", f"WEIR_TRACE={tmp_path / 'trace'}"]
    done = ended("strace", "-f", "-o", counts, *recorder, program, cwd=tmp_path / "store")
    assert done.returncode == 0, done.stderr
    made = [line.split("(")[0].split()[-1] for line in counts.read_text().splitlines() if "(" in line]
    for call in ("readlinkat", "readlink", "getcwd", "statx", "fcntl"):
        assert made.count(call) < 250, call
    assert made.count("newfstatat") >= 1500
