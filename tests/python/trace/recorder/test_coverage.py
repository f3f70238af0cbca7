"""Every function of the C library that has to do with files is recorded, or left out for a reason."""

import fnmatch
import platform
import re
from pathlib import Path

import pytest

from running import ended

from ..programs import RECORDER, ROOT, exported

NEWEST_KNOWN = (2, 36)
"""Later C libraries may have functions of which this test knows nothing."""

ABOUT_FILES = re.compile(
    r"read|write|open|close|stat|sync|seek|trunc|link|rename|remove|dir|aio_|lio_|access|dup|advise|fallocate"
    r"|mk(stemp|ostemp|dtemp|nod|fifo|temp)|tmp|splice|tee$|sendfile|copy_file|mmap|map_file|utime|chmod|chown|xattr"
    r"|flock|lockf|handle_at|fcntl|shm_|glob|ftw|fts|exec|fork|_exit$"
    r"|get(c|w|s|char|delim|line)|put(c|w|s|char)|printf|scanf|set(v|line)?buf|tell|rewind|[gs]etpos|flow|flush"
)
"""What a function's name has in it if it has to do with files."""

OTHER_FIELDS = re.compile(
    # Threads, time, sockets and addresses, text, remote procedures, the C library's own symbols.
    r"^(_?_?pthread|_thread_db|__?nss|_dl_|rpc|svc|xdr|clnt|inet|ether|thrd|sem_|mq_|__mq|__res|__rpc|__sched|sched_"
    r"|posix_spawn|regexec|re_exec|rexec|wcs|str|__str|envz|duplocale|__duplocale|clock_|mktime|getcontext|getcpu"
    r"|getsock|getsecretkey|getsid|getsourcefilter|getsubopt|tcgetsid|init_?state|set_?state|sgets|malloc|argp"
    r"|__cxa|on_exit|__at_quick|__cyg|__register_atfork|__freadinghook|__shm_|_obstack)"
    r"|^(flockfile|ftrylockfile|funlockfile|initstate_r|__dprintf|__fortify)$"
)


def c_library() -> Path:
    found = re.search(r"libc\.so\.6 => (\S+)", ended("ldd", RECORDER).stdout)
    assert found is not None
    return Path(found.group(1))


def left_out() -> list[str]:
    page = (ROOT / "docs" / "reference" / "trace.md").read_text()
    rows = page.split("| functions | because |")[1].splitlines()
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row.partition("| ")[2].split(" | ")[0])]


def test_functions_of_files_are_recorded_or_left_out_for_a_reason() -> None:
    if not RECORDER.exists() or platform.libc_ver()[0] != "glibc":
        pytest.skip("the recorder is not built, or this is not the GNU C library")
    if tuple(map(int, platform.libc_ver()[1].split("."))) > NEWEST_KNOWN:
        pytest.skip("this C library is newer than what the test knows")
    recorded = exported(RECORDER)
    reasons = left_out()
    unknown = {
        name
        for name in exported(c_library()) - recorded
        if ABOUT_FILES.search(name)
        and not OTHER_FIELDS.search(name)
        and not any(fnmatch.fnmatchcase(name, pattern) for pattern in reasons)
    }
    assert unknown == set()
    assert {name for name in recorded if name in reasons} == set()
