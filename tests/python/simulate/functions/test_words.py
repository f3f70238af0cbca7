"""Calls of MPI functions as a person writes them."""

import pytest

from toy_machine import TOY, toy
from weir.errors import WeirError
from weir.simulate.functions.words import function_words
from weir.simulate.model import parse_machine

KIB = 1 << 10


def test_each_function_is_called_with_each_size() -> None:
    words = function_words("Bcast,Barrier,Exchange --bytes 8B,1KiB,8B")
    assert words
    assert [*words.calls] == [
        ("Bcast", 8), ("Bcast", KIB), ("Barrier", 0), ("Exchange", 8), ("Exchange", KIB),
    ]  # fmt: skip
    names = [phase.name for phase in words.pattern(toy(), 4).phases]
    assert names == ["Bcast 8 B", "Bcast 1 KiB", "Barrier", "Exchange 8 B", "Exchange 1 KiB"]
    assert function_words("Alltoall --bytes=3MiB") == function_words("Alltoall  --bytes '3 MiB'")
    usual = function_words("Allreduce")
    assert usual and len([*usual.calls]) == 4


@pytest.mark.parametrize("text", ["", "flash-io --blocks 80", "bcast.json", "some/Bcast"])
def test_other_text_is_none(text: str) -> None:
    assert function_words(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Bcast,Allreduse", "there is no MPI function 'Allreduse'"),
        ("Bcast --byte 8B", "MPI functions take no '--byte'"),
        ("Bcast --bytes", "has not one value"),
        ("Bcast --bytes 8B 1KiB", "has not one value"),
        ("Bcast --bytes 8", "'8' is not a size"),
        ("Bcast --bytes 0B", "a message of 0 B has no pattern"),
        ("Bcast --bytes '8B", "no closing quotation"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(WeirError) as told:
        function_words(text)
    assert said in str(told.value)


def test_one_rank_has_nobody() -> None:
    words = function_words("Bcast")
    assert words
    with pytest.raises(WeirError, match="nobody to talk to"):
        words.pattern(toy(), 1)


def test_what_a_machine_tells_takes_time() -> None:
    given = '[nodes]\ncopies = { value = "8 B 1 s, 2 KiB 4 s", source = "assumed: slow" }'
    machine = parse_machine(TOY.read_text().replace("[nodes]", given), "toy.toml")
    words = function_words("Alltoall --bytes 1KiB")
    assert words
    steps = words.pattern(machine, 2).phases[0].steps
    assert next(step.compute.time_s for step in steps if step.compute) == 2
    assert len(words.pattern(toy(), 2).phases[0].steps) < len(steps)
