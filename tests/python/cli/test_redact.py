"""`--redact`: what is given to others, without names."""

import sys
from pathlib import Path
from trace.synthetic import rows_of_rank, write_trace

import pytest

from synthetic_run import write_run
from verbs import weir_here as weir


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "R")
    write_trace(tmp_path / "T", {0: rows_of_rank(0)})


def test_a_report_and_exports_of_a_run() -> None:
    for words, plain in (
        (["report", "R", "--out"], True),
        (["export", "R", "--format", "csv", "--out"], False),
    ):
        assert weir(*words, "open").exit_code == 0
        done = weir(*words, "closed", "--redact")
        assert done.exit_code == 0, done.output
        assert b"/scratch" in Path("open").read_bytes() or not plain
        assert b"/scratch" not in Path("closed").read_bytes()


@pytest.mark.parametrize("form", ["csv", "perfetto"])
def test_an_export_of_a_trace(form: str) -> None:
    cells = weir("export", "T", "--format", "csv").stdout.replace(",", "\n").split("\n")
    names = {cell for cell in cells if "/" in cell}
    done = weir("export", "T", "--format", form, "--redact")
    assert done.exit_code == 0 and names, done.output
    assert not any(name in done.stdout for name in names)


def test_a_trace_that_is_packed() -> None:
    assert weir("pack", "T", "--redact", "--out", "P").exit_code == 0
    opened, closed = (weir("explain", one, "--all", "--no-page") for one in ("T", "P"))
    assert opened.exit_code == closed.exit_code == 0
    assert len(opened.stdout.splitlines()) == len(closed.stdout.splitlines())


@pytest.mark.usefixtures("recorder")
def test_a_trace_that_is_recorded() -> None:
    script = "import sys; sys.exit(open('confidential', 'w').write('xyz'))"
    program = [sys.executable, "-c", script, "mallory"]
    for out, more in (("open", []), ("closed", ["--redact"])):
        done = weir("trace", "-o", out, "--only", ".", *more, "--", *program)
        assert done.exit_code == 3, done.output
    for word in (b"confidential", b"mallory", sys.executable.encode()):
        assert any(word in path.read_bytes() for path in Path("open").iterdir())
        assert not any(word in path.read_bytes() for path in Path("closed").iterdir())
    said = weir("explain", "closed", "--all", "--no-page")
    assert said.exit_code == 0 and "write" in said.stdout
