from pathlib import Path

import pytest

from weir.launch.absent import Absent
from weir.launch.ending import LONGEST_LINE, MemoryKills, causes_in, ending_of, memory_kills, stderr_tail
from weir.launch.process import Exit

OPEN_MPI_SIGNAL = """--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).
"""
OPEN_MPI_CODE = """mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[60302,1],3]
  Exit code:    7
"""
OPEN_MPI_ABORT = """MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD
with errorcode 70.
"""
HYDRA = """=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 31222 RUNNING AT vm
=   EXIT CODE: 11
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)
"""
INTEL = """=   RANK 5 PID 3122 RUNNING AT n1
=   KILLED BY SIGNAL: 9 (Killed)
"""
Known = tuple[int | None, int | None, int | None]
"""Rank, signal, exit code."""
MPICH_ABORT = "application called MPI_Abort(MPI_COMM_WORLD, 3) - process 1"


@pytest.mark.parametrize(
    ("how", "talk", "known", "words"),
    [
        (Exit(137), OPEN_MPI_SIGNAL, (1, 9, None), "rank 1 was killed by signal 9 (SIGKILL); the launch"),
        (Exit(7), OPEN_MPI_CODE, (3, None, 7), "rank 3 ended with exit code 7; the launch ended"),
        (Exit(70), OPEN_MPI_ABORT, (2, None, 70), "rank 2 ended with exit code 70"),
        (Exit(11), HYDRA, (None, 11, None), "a rank was killed by signal 11 (SIGSEGV)"),
        (Exit(9), INTEL, (5, 9, None), "rank 5 was killed by signal 9"),
        (Exit(3), MPICH_ABORT, (1, None, 3), "rank 1 ended with exit code 3"),
        (Exit(137), "", (None, 9, None), "a rank was killed by signal 9 (SIGKILL); the launch"),
        (Exit(None, 15), "", (None, 15, None), "the launch was killed by signal 15 (SIGTERM)"),
        (Exit(1), "no host", (None, None, None), "the launch ended with exit code 1; its last line: no host"),
    ],
)  # fmt: skip
def test_what_ended_a_launch(how: Exit, talk: str, known: Known, words: str) -> None:
    ending = ending_of(how, talk.splitlines())
    assert (ending.rank, ending.signal, ending.code) == known
    assert str(ending).startswith(words)


ABSENT = {
    "open-mpi": """mpirun was unable to launch the specified application as it could not access
or execute an executable:

Executable: /opt/weir/bin/weir-core
Node: n2

while attempting to start process rank 2.
""",
    "hydra": "[proxy:0:1@n2] HYDU_create_process (utils/launch/launch.c:73): execvp error on file "
    "/opt/weir/bin/weir-core (No such file or directory)\n",
    "slurm": "slurmstepd: error: execve(): /opt/weir/bin/weir-core: No such file or directory\n"
    "srun: error: n2: task 1: Exited with exit code 2\n",
}


@pytest.mark.parametrize("launcher", ABSENT)
def test_a_node_without_the_program_is_named(launcher: str) -> None:
    """The launcher's exit code is no signal: Open MPI ends with 132."""
    ending = ending_of(Exit(132), ABSENT[launcher].splitlines())
    assert ending.absent == Absent("/opt/weir/bin/weir-core", "n2") and ending.signal is None
    assert ending.absent.problem == "node n2 cannot run weir-core"


def test_what_a_program_itself_misses_is_no_absent_program() -> None:
    said = ["weir-core: cannot open '/scratch/x': No such file or directory"]
    assert ending_of(Exit(3), said).absent is None


def test_the_last_lines_are_the_programs_own() -> None:
    talk = ["one", "two", "three", "four", "-----", *OPEN_MPI_SIGNAL.splitlines()]
    assert ending_of(Exit(137), talk).last_lines == ("two", "three", "four")
    assert len(ending_of(Exit(1), ["x" * 5000]).last_lines[0]) == LONGEST_LINE


OPEN_MPI_WARNING = """--------------------------------------------------------------------------
WARNING: Linux kernel CMA support was requested via the
btl_vader_single_copy_mechanism MCA variable, but CMA support is
not available due to restrictive ptrace settings.

The vader shared memory BTL will fall back on another single-copy
mechanism if one is available. This may result in lower performance.

  Local host: vm
--------------------------------------------------------------------------
[vm:12066] 1 more process has sent help message help-btl-vader.txt / cma-permission-denied
[vm:12066] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages
[1795385520.94] [vm:9303 :0] sock.c:325  UCX  WARN  unable to read somaxconn value
"""
OPEN_MPI_STACK = """[vm:09188] *** Process received signal ***
[vm:09188] Signal: Segmentation fault (11)
[vm:09188] Signal code:  (-6)
[vm:09188] Failing at address: 0x23e4
[vm:09188] [ 0] /lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7fb1a7bb6050]
[vm:09188] [ 3] ./program(+0x121d)[0x564d8a82821d]
[vm:09188] *** End of error message ***
"""
UCX_STACK = """[vm:9303 :0:9303] Caught signal 11 (Segmentation fault: tkill(2) at address 0x2457)
==== backtrace (tid:   9303) ====
 0  /lib/x86_64-linux-gnu/libucs.so.0(ucs_handle_error+0x2dc) [0x7fdb7a6dde9c]
 6  ./abort.m(+0x1214) [0x560c57bc3214]
=================================
"""
OPEN_MPI_REFUSAL = """--------------------------------------------------------------------------
There are not enough slots available in the system.
--------------------------------------------------------------------------
"""


CUT_RESULT = '{"schema":2,"kind":"sample","case":"a","phase":"call","metr'


@pytest.mark.parametrize("noise", [OPEN_MPI_WARNING, OPEN_MPI_STACK, UCX_STACK, CUT_RESULT])
def test_a_warning_or_a_stack_is_no_cause(noise: str) -> None:
    talk = [*noise.splitlines(), *OPEN_MPI_SIGNAL.splitlines()]
    assert str(ending_of(Exit(137), talk)).endswith("the launch ended with exit code 137")
    talk = ["weir-core: no room", *talk]
    assert ending_of(Exit(137), talk).last_lines == ("weir-core: no room",)


def test_a_launchers_refusal_is_a_cause() -> None:
    talk = [*OPEN_MPI_WARNING.splitlines(), *OPEN_MPI_REFUSAL.splitlines()]
    assert ending_of(Exit(1), talk).last_lines == ("There are not enough slots available in the system.",)


NO_WAY = """--------------------------------------------------------------------------
But I couldn't open the help file:
    /usr/share/openmpi/help-mtl-ofi.txt: Too many open files.  Sorry!
--------------------------------------------------------------------------
[n2:04113] [[5828,1],1] selected pml cm, but peer [[5828,1],0] on n1 selected pml ob1
--------------------------------------------------------------------------
MPI_INIT has failed because at least one MPI process is unreachable
from another.  This *usually* means that an underlying communication
plugin -- such as a BTL or an MTL -- has either not loaded or not
allowed itself to be used.  Your MPI job will now abort.
 * Run your application with MPI_THREAD_SINGLE.
--------------------------------------------------------------------------
[n2:04113] *** An error occurred in MPI_Init_thread
[n2:04113] *** reported by process [381943809,1]
[n2:04113] *** on a NULL communicator
[n2:04113] *** Unknown error
[n2:04113] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,
[n2:04113] ***    and potentially your MPI job)
"""


def test_why_ranks_find_no_way_to_each_other_is_told() -> None:
    *_, first, second, third = causes_in(NO_WAY.splitlines())
    assert first.endswith("Too many open files.  Sorry!") and "selected pml" in second
    assert third == "MPI found no way from one rank to another"


def test_only_the_end_of_a_long_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log"
    assert stderr_tail(path) == []
    path.write_bytes(b"early\n" * 10000 + b"late \xff\n")
    assert len(stderr_tail(path)) < 5000 and stderr_tail(path)[-1] == "late \N{REPLACEMENT CHARACTER}"


def counted(root: Path, *, cgroup: str, file: str, group: int, host: int) -> MemoryKills:
    for name, text in (
        ("proc/self/cgroup", cgroup),
        (file, f"max 0\noom_kill {group}\n"),
        ("proc/vmstat", f"nr 1\noom_kill {host}\n"),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return memory_kills(root)


@pytest.mark.parametrize(
    ("cgroup", "file"),
    [
        ("0::/job\n", "sys/fs/cgroup/job/memory.events"),
        ("4:cpu,memory:/job\n0::/\n", "sys/fs/cgroup/memory/job/memory.oom_control"),
    ],
)
def test_the_kernel_counts_what_it_killed(tmp_path: Path, cgroup: str, file: str) -> None:
    before = counted(tmp_path, cgroup=cgroup, file=file, group=1, host=5)
    assert before == MemoryKills(1, 5)
    after = counted(tmp_path, cgroup=cgroup, file=file, group=3, host=7)
    assert "2 processes of this control group" in after.since(before)
    assert "a process on this host" in MemoryKills(None, 6).since(before)
    assert before.since(before) == "" and MemoryKills().since(before) == ""


def test_where_nobody_counts_nothing_is_known(tmp_path: Path) -> None:
    assert memory_kills(tmp_path) == MemoryKills()
