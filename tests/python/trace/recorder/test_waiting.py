"""Programs wait for their children as without the recorder, and adopters of orphans name them."""

from pathlib import Path

from ..programs import Record

WAITS_IN_EVERY_WAY = """
static pid_t child(int status) {
    pid_t started = fork();
    if (started == 0) _exit(status);
    return started;
}
main:
int status, held[2];
char nothing;
siginfo_t found;
if (pipe(held) != 0) return 1;
if (wait(NULL) != -1 || errno != ECHILD) return 2;
pid_t one = fork();
if (one == 0) { close(held[1]); if (read(held[0], &nothing, 1) != 0) abort(); _exit(7); }
memset(&found, 1, sizeof found);
if (waitpid(-1, &status, WNOHANG) != 0) return 3;
if (waitid(P_ALL, 0, &found, WEXITED | WNOHANG) != 0 || found.si_pid != 0 || found.si_signo != 0) return 4;
if (waitid(P_ALL, 0, NULL, WEXITED | WNOHANG) != 0) return 5;
kill(one, SIGSTOP);
if (waitpid(-1, &status, WUNTRACED) != one || !WIFSTOPPED(status)) return 6;
kill(one, SIGCONT);
if (waitid(P_ALL, 0, &found, WEXITED | WCONTINUED) != 0 || found.si_code != CLD_CONTINUED) return 7;
close(held[1]);
if (waitid(P_ALL, 0, &found, WEXITED | WNOWAIT) != 0 || found.si_pid != one) return 8;
if (waitid(P_ALL, 0, &found, WEXITED) != 0 || found.si_pid != one || found.si_status != 7) return 9;
if (waitpid(one, &status, 0) != -1 || errno != ECHILD) return 10;
pid_t two = child(8), three = child(9);
if (waitpid(three, &status, 0) != three || WEXITSTATUS(status) != 9) return 11;
if (wait4(0, &status, 0, NULL) != two || WEXITSTATUS(status) != 8) return 12;
if (waitpid(-1, &status, 1 << 20) != -1 || errno != EINVAL) return 13;
signal(SIGCHLD, SIG_IGN);
child(0);
if (wait(NULL) != -1 || errno != ECHILD) return 14;
"""

WAITS_IN_THREADS = """
static int children;
static void *wait_for_all(void *nothing) {
    while (wait(NULL) > 0) __atomic_fetch_add(&children, 1, __ATOMIC_RELAXED);
    return errno == ECHILD ? nothing : data;
}
main:
for (int i = 0; i < 60; ++i) if (fork() == 0) _exit(0);
in_threads(4, wait_for_all, NULL);
if (children != 60) return 1;
"""

ADOPTS = """
int number[2];
pid_t orphan;
if (pipe(number) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) return 1;
pid_t between = fork();
if (between == 0) {
    orphan = fork();
    if (orphan == 0) _exit(0);
    if (write(number[1], &orphan, sizeof orphan) != sizeof orphan) abort();
    kill(getpid(), SIGKILL);
}
if (read(number[0], &orphan, sizeof orphan) != sizeof orphan) return 2;
if (waitpid(between, NULL, 0) != between || waitpid(orphan, NULL, 0) != orphan) return 3;
FILE *named = fopen("named", "w");
fprintf(named, "%d %d", between, orphan);
fclose(named);
"""


def test_waiting_is_as_without_the_recorder(record: Record) -> None:
    record(WAITS_IN_EVERY_WAY)


def test_threads_that_wait_at_once_have_each_child_once(record: Record) -> None:
    record(WAITS_IN_THREADS)


def test_an_adopter_names_those_for_which_it_has_waited(record: Record, tmp_path: Path) -> None:
    processes = record(ADOPTS)
    named = [int(word) for word in (tmp_path / "store" / "named").read_text().split()]
    assert [one.facts["waited"] for one in processes if "waited" in one.facts] == [named]
