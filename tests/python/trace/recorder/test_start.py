"""What the recorder costs a program that does nothing: counts that do not depend on the machine's speed."""

import os
import shutil
import statistics
from pathlib import Path

from ..programs import RECORDER, need


def faults_of(program: str, environment: dict[str, str]) -> float:
    """Pages that the kernel gave to a program, in the middle of some runs."""
    counts = []
    for _ in range(5):
        child = os.posix_spawn(program, [program], environment)
        _, status, usage = os.wait4(child, 0)
        assert status == 0
        counts.append(usage.ru_minflt)
    return statistics.median(counts)


def test_the_start_of_a_program_touches_few_pages(tmp_path: Path) -> None:
    """Tables that the dynamic linker fills in, or that the recorder fills for calls that never come, are
    pages: they were 126 more than the program's own."""
    need("true")
    program = shutil.which("true") or ""
    recorded = {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(tmp_path)}
    assert faults_of(program, recorded) - faults_of(program, {}) <= 60
    assert len(list(tmp_path.glob("*.process"))) == 5


def test_a_program_without_calls_has_one_file(tmp_path: Path) -> None:
    need("true")
    program = shutil.which("true") or ""
    faults_of(program, {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(tmp_path)})
    assert {path.suffix for path in tmp_path.iterdir()} == {".process"}
