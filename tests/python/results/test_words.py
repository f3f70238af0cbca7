"""Settings, hints and quantities in words."""

import pytest

from rows import row
from weir.analyse.detail import Straggler
from weir.cli._results import hint_words
from weir.results.pairing import number_words
from weir.results.quantity_words import straggler_words
from weir.results.words import option_words, setting_words
from weir.store.records import HintAsked


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(0.0012, "0.0012"), (0.046, "0.046"), (0.1, "0.10"), (0.98, "0.98"), (9.81, "9.81"), (36.5, "36.5")],
)
def test_a_small_ratio_keeps_two_significant_digits(ratio: float, said: str) -> None:
    assert number_words(ratio) == said


@pytest.mark.parametrize(("value", "said"), [(True, "physics true"), (False, "physics false")])
def test_a_switch_is_written_as_in_a_study(value: bool, said: str) -> None:
    assert option_words(row("write", 1000, physics=value), "physics") == said


@pytest.mark.parametrize(
    ("phase", "said"), [("plot", "packed by HDF5's memory hyperslab"), ("corner", "corners are copied")]
)
def test_corners_are_copied_whatever_packs(phase: str, said: str) -> None:
    one = row(phase, 1000, block=8, blocks=0, pack="library")
    assert setting_words(one).endswith(f"8³ cells a block, {said}")
    assert "packed" not in setting_words(row(phase, 1000, block=8, blocks=0, pack="copy"))


@pytest.mark.parametrize(
    ("in_force", "state", "words"),
    [
        ("2", "in force", "hint cb_nodes=2 is in force"),
        ("1", "changed", "hint cb_nodes=2 was changed, to 1"),
        (None, "ignored", "hint cb_nodes=2 was ignored"),
        ("2", "unproven", "which echoes even an invented hint, so it proves nothing"),
        (None, "odd", "is in the state 'odd'"),
    ],
)
def test_what_became_of_a_hint(in_force: str | None, state: str, words: str) -> None:
    assert words in hint_words(HintAsked("cb_nodes", "2", in_force, state))


def test_transfers_that_ranks_share_are_named_so() -> None:
    shared = row("write", 1000, divided=True, transfer=1 << 20, block=1 << 20)
    assert option_words(shared, "transfer") == "1 MiB transfers of all ranks"
    assert option_words(shared, "block") == "1 MiB of all ranks"
    assert option_words(row("write", 1000, block=1 << 20), "block") == "1 MiB a rank"


def test_a_file_pointer_is_named_where_it_is_not_an_offset() -> None:
    pointed = row("write", 1000, backend="mpiio", pointer="shared", collective=True)
    assert option_words(pointed, "backend") == "MPI-IO collective, shared pointer"
    plain = row("write", 1000, backend="mpiio", pointer="explicit", file_view=True)
    assert option_words(plain, "backend") == "MPI-IO independent, file view"


def test_a_straggler_is_named_with_its_numbers() -> None:
    assert straggler_words(Straggler(3, 11, 12, 1.4)) == (
        "rank 3 was the slowest in 11 of 12 samples, with 1.40 times the mean time of all ranks"
    )
    assert straggler_words(Straggler(3, 11, 12, 1.4, "n2")).startswith("rank 3 on n2 was the slowest")
    assert straggler_words(Straggler(None, 11, 12, 1.4, "n2")).startswith("a rank of n2 was the slowest")
