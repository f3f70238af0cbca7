"""A control group with a memory limit, version 1 or 2, for tests that need one."""

import contextlib
import os
import secrets
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path("/sys/fs/cgroup")


@contextlib.contextmanager
def memory_limited_to(limit_bytes: int) -> Iterator[list[str]]:
    """The words to put before a command, so that it runs under the limit with all that it starts. Skips, with
    the reason, where such a group cannot be made."""
    version1 = (ROOT / "memory").is_dir()
    group = (ROOT / "memory" if version1 else ROOT) / f"weir-test-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        if not version1:
            (ROOT / "cgroup.subtree_control").write_text("+memory")
        group.mkdir()
        name = "memory.limit_in_bytes" if version1 else "memory.max"
        (group / name).write_text(str(limit_bytes))
    except OSError as error:
        with contextlib.suppress(OSError):
            group.rmdir()
        pytest.skip(f"no control group with a memory limit can be made here: {error}")
    procs = shlex.quote(str(group / "cgroup.procs"))
    try:
        yield ["sh", "-c", f'echo $$ > {procs} && exec "$@"', "sh"]
    finally:
        _remove(group)


def _remove(group: Path) -> None:
    # A process that has just ended may be counted for a moment.
    for _ in range(50):
        with contextlib.suppress(OSError):
            group.rmdir()
            return
        time.sleep(0.1)
