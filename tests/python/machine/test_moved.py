"""A run that goes on on another machine."""

from pathlib import Path
from typing import Any

import pytest

from machine.fake_system import fake_system
from weir.machine.moved import moved_words

HERE = {"/proc/sys/kernel/hostname": "n2"}


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (
            {"host": {"name": "n1"}, "cpu": {"model": "CPU A"}},
            "host 'n1' with CPU A, and goes on on host 'n2'",
        ),
        (
            {"host": {"name": "n2"}, "cpu": {"model": "CPU B"}},
            "host 'n2' with CPU B, and goes on on host 'n2'",
        ),
        ({"host": {"name": "n1"}, "cpu": None}, "began on host 'n1', and"),
        ({"host": None, "cpu": {"model": "CPU B"}}, "CPU B"),
    ],
)
def test_another_name_or_processor_is_another_machine(tmp_path: Path, card: Any, said: str) -> None:
    assert said in (moved_words(card, fake_system(tmp_path, files=HERE)) or "")


@pytest.mark.parametrize("card", [None, {}, {"host": {"name": "n2"}, "cpu": {"model": "CPU A"}}])
def test_the_same_or_an_unknown_machine_is_no_matter(tmp_path: Path, card: Any) -> None:
    assert moved_words(card, fake_system(tmp_path, files=HERE)) is None
