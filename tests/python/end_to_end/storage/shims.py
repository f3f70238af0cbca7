"""Functions of the C library replaced for a program under test, by LD_PRELOAD."""

import subprocess
from pathlib import Path

import pytest


def compile_shim(source: str) -> str:
    """A shared library of C functions, made in the current folder; its path. Skips where cc cannot."""
    path = Path("shim.so").absolute()
    Path("shim.c").write_text(source)
    compiler = ["cc", "-shared", "-fPIC", "-o", str(path), "shim.c", "-ldl"]
    try:
        subprocess.run(compiler, check=True, capture_output=True, timeout=30)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"cc cannot make a shared library here: {error}")
    return str(path)
