"""vl-convert in a process of its own. Its JavaScript engine aborts the whole process where it gets no memory,
as under a small `ulimit -v`; so it is the child that dies, and the death is told.

As a program it answers calls: a line of JSON each, and for it a line with a word and a number of bytes, and
these.
"""

import atexit
import contextlib
import functools
import importlib
import importlib.util
import json
import re
import signal
import subprocess
import sys
from typing import Any

from weir.errors import ExitCode, WeirError
from weir.extras import lacking

PACKAGE = "vl_convert"
_LOST_WORKER = (b"oneshot canceled", b"receiver is gone")
"""In what the package says where the thread that draws has died: while it draws, or before."""
_TEXT, _BYTES, _ERROR = "text", "bytes", "error"


_CONTROL = re.compile(r"(?<!\\)((?:\\\\)*)\\u00([01][0-9a-fA-F])")
"""A control character in JSON, which no SVG can hold: the program ends where it meets one."""


class Engine:
    """The functions of the package that figures need, by their names there. Raises WeirError if it dies."""

    def __init__(self) -> None:
        # -P: the package is not to be looked for in the current folder.
        command = [sys.executable, "-P", "-m", __name__]
        try:
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            raise _cannot(f"the drawing engine does not start: {error.strerror}") from error
        atexit.register(self.close)

    def close(self) -> None:
        """It ends; what is still asked of it is lost."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was still to be written to it
                    pipe.close()

    def vegalite_to_svg(self, spec: str) -> str:
        """The drawing as SVG."""
        return self._ask("vegalite_to_svg", spec).decode()

    def vegalite_to_png(self, spec: str, *, scale: float) -> bytes:
        """As PNG."""
        return self._ask("vegalite_to_png", spec, scale=scale)

    def vegalite_to_pdf(self, spec: str) -> bytes:
        """As PDF."""
        return self._ask("vegalite_to_pdf", spec)

    def svg_to_pdf(self, svg: str) -> bytes:
        """An SVG as PDF of the same size in points."""
        return self._ask("svg_to_pdf", svg)

    def vegalite_to_html(self, spec: str) -> str:
        """As a page that needs no network."""
        return self._ask("vegalite_to_html", spec, bundle=True).decode()

    def begin_javascript_bundle(self) -> None:
        """Begin to make the program that draws in a browser, which takes seconds; to be ended before anything
        else is asked."""
        self._send("javascript_bundle")

    def end_javascript_bundle(self) -> str:
        """That program."""
        return self._answer().decode()

    def _ask(self, call: str, *words: str, **options: Any) -> bytes:
        self._send(call, *words, **options)
        return self._answer()

    def _send(self, call: str, *words: str, **options: Any) -> None:
        to = self._child.stdin
        assert to is not None
        words = tuple(_CONTROL.sub(r"\1\\\\x\2", word) for word in words)
        with contextlib.suppress(BrokenPipeError):  # then there is no answer either
            to.write(json.dumps([call, words, options]).encode() + b"\n")
            to.flush()

    def _answer(self) -> bytes:
        of = self._child.stdout
        assert of is not None
        kind, _, size = of.readline().decode().partition(" ")
        answer = of.read(int(size or 0))
        if not kind or len(answer) < int(size):
            _started.cache_clear()
            raise _died(self._child)
        if kind == _ERROR and any(words in answer for words in _LOST_WORKER):
            _started.cache_clear()
            self.close()
            last = answer.decode(errors="replace").splitlines()[-1]
            raise _cannot(f"the drawing engine could not go on: {PACKAGE}: {last.strip()}")
        if kind == _ERROR:
            raise ValueError(f"{PACKAGE}: {answer.decode()}")
        return answer


def engine() -> Engine:
    """The engine of this process. Raises WeirError where the package is not installed."""
    if importlib.util.find_spec(PACKAGE) is None:
        raise lacking("vl-convert-python", "figures", "cannot draw figures")
    return _started()


@functools.cache
def _started() -> Engine:
    return Engine()


def _died(child: "subprocess.Popen[bytes]") -> WeirError:
    code = child.wait()
    how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
    return _cannot(f"the drawing engine ended {how}")


def _cannot(why: str) -> WeirError:
    return WeirError(
        "cannot draw figures",
        f"{why}; it takes several GiB of address space, and some twenty open files",
        "raise the limits (ulimit -v, ulimit -n), or draw elsewhere",
        ExitCode.CASE_FAILED,
    )


def main() -> None:
    """Answer until nobody asks any more."""
    package = importlib.import_module(PACKAGE)
    for line in sys.stdin.buffer:
        call, words, options = json.loads(line)
        try:
            made = getattr(package, call)(*words, **options)
            kind = _TEXT if isinstance(made, str) else _BYTES
        except Exception as error:
            kind, made = _ERROR, str(error)
        answer = made.encode() if isinstance(made, str) else bytes(made)
        sys.stdout.buffer.write(f"{kind} {len(answer)}\n".encode() + answer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
