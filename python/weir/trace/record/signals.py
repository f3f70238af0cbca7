"""Signals while a program runs: those that are meant for `weir trace` alone are passed on to it.

The terminal's signals reach all processes of the group, the program too, and so do those that are sent to the
group, as by `timeout` and a shell's `kill %1`. A signal does not say which it is. So a monitor process in the
same group reports the signals that it receives: the program has received those as well.
"""

import contextlib
import ctypes
import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PASSED_ON = frozenset(
    {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2}
)
"""Signals that end programs, and those by which batch systems warn them."""
_BY_THE_KERNEL = 128  # SI_KERNEL: of the terminal
_SET_DEATH_SIGNAL = 1
_A_MOMENT_S = 0.05
"""For a signal to reach the others of the group."""


@dataclass
class Signals:
    """Blocked here while the program runs, and taken one by one."""

    before: set[int]
    """What was blocked: the program begins with it."""
    _monitor: int = 0
    _seen: int = -1

    def wait_for(self, program: int) -> None:
        """Wait until this child has ended, without reaping it, and pass on signals for this process alone."""
        while os.waitid(os.P_PID, program, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            came = signal.sigwaitinfo(PASSED_ON | {signal.SIGCHLD})
            if came.si_signo != signal.SIGCHLD and not self._has_it(came, program):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(program, came.si_signo)

    def stop_monitor(self) -> None:
        """End the monitor process."""
        if self._monitor:
            os.kill(self._monitor, signal.SIGKILL)
            os.waitpid(self._monitor, 0)
            os.close(self._seen)
            self._monitor, self._seen = 0, -1

    def start_monitor(self) -> None:
        """Without a monitor, where no process can be made, all signals are passed on."""
        seen, tell = os.pipe()
        try:
            self._monitor = os.fork()
        except OSError:
            os.close(seen)
            os.close(tell)
            return
        if self._monitor == 0:
            _tell_signals(tell)
        os.close(tell)
        self._seen = seen

    def _has_it(self, came: signal.struct_siginfo, program: int) -> bool:
        """Did the signal also reach the program, or come from it?"""
        to_all = self._reached_group(came.si_signo)
        if to_all:  # the sender may have signalled this process before its group, as `timeout` does
            signal.sigtimedwait({came.si_signo}, _A_MOMENT_S)
        return to_all or came.si_code == _BY_THE_KERNEL or came.si_pid == program

    def _reached_group(self, number: int) -> bool:
        while self._seen >= 0 and select.select([self._seen], [], [], _A_MOMENT_S)[0]:
            told = os.read(self._seen, 1)
            if not told or told[0] == number:
                return bool(told)
        return False


@contextmanager
def signals_passed_on() -> Iterator[Signals]:
    """While the block lasts, no signal of PASSED_ON ends or interrupts this process."""
    signals = Signals(signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON | {signal.SIGCHLD}))
    signals.start_monitor()
    try:
        yield signals
    finally:
        signals.stop_monitor()
        while signal.sigtimedwait(PASSED_ON, 0) is not None:
            pass  # for a program that has ended
        signal.pthread_sigmask(signal.SIG_SETMASK, signals.before)


def _tell_signals(tell: int) -> None:
    """The monitor process, which ends with its parent."""
    try:
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        while True:
            os.write(tell, bytes([signal.sigwait(PASSED_ON)]))
    finally:
        os._exit(0)
