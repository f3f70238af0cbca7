"""Fixtures for all tests: the fake core and mpirun instead of real ones, and neither a cache nor a site's
configuration shared with the person's own."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from fakes import FAKE_CORE, FOLDER
from sure_answers import check_all

# The same cases each time, and no test fails because the machine is busy.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

# Several workers' ranks share the cores: those that wait in a busy loop would keep others from working, and
# bound ones would all be bound to the first cores.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
    os.environ.setdefault("OMPI_MCA_hwloc_base_binding_policy", "none")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache in which nothing is but the program that draws in browsers, which takes seconds to make: the
    first test that made it leaves it to all others, of all workers."""
    cache, base = tmp_path_factory.mktemp("cache"), tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-once"
    _link_programs(shared, cache / "weir")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    yield
    _link_programs(cache / "weir", shared)


@pytest.fixture(autouse=True)
def _no_site(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEIR_SITE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "no-configuration"))


@pytest.fixture(autouse=True)
def _sure_is_founded(monkeypatch: pytest.MonkeyPatch) -> None:
    check_all(monkeypatch)


def _link_programs(here: Path, there: Path) -> None:
    for program in here.glob("browser-program-*"):
        there.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            (there / program.name).hardlink_to(program)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tests may say something for whoever reads their end: `record_property("said", TEXT)`."""
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == "said" and report.when == "call":
                terminalreporter.write_line(str(text))


@pytest.fixture
def fake_core(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `weir` find the fake core and the fake mpirun; returns the core's path."""
    monkeypatch.setenv("WEIR_CORE", str(FAKE_CORE))
    monkeypatch.setenv("PATH", f"{FOLDER}:{os.environ['PATH']}")
    return FAKE_CORE


@pytest.fixture
def draws() -> None:
    """Skip where what draws is not installed."""
    pytest.importorskip("vl_convert", reason="vl-convert-python, which draws, is not installed")
