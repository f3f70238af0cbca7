"""Samples of a repetition that a launch's death cut do not count."""

from collections.abc import Sequence

import pytest

from samples import sample
from weir.analyse.machine_state import samples_that_count
from weir.analyse.passes import Passes
from weir.store.records import AnyRecord, BeginRecord, EndRecord, LaunchRecord, SampleRecord


def launch(number: int, *taken: str, case: str = "a", ended: bool = True) -> list[AnyRecord]:
    """One with a pass over a case: `write0` is the phase write of repetition 0."""
    samples = []
    for one in taken:
        record = sample(case, one[:-1], repetition=int(one[-1]))
        record.launch = number
        samples.append(record)
    end = [EndRecord(launch=number)] if ended else []
    return [LaunchRecord(launch=number), BeginRecord(case=case, launch=number), *samples, *end]


def phases(records: Sequence[AnyRecord]) -> list[str]:
    return [record.phase for record in samples_that_count(records)]


def test_a_write_whose_read_was_never_made_does_not_count() -> None:
    died = launch(1, "write0", ended=False)
    assert phases([*died, *launch(2, "write0", "read0")]) == ["write", "read"]
    assert phases([*launch(1, "write0", "read0"), *launch(2, "write0", ended=False)]) == ["write", "read"]


def test_of_a_pass_that_died_whole_repetitions_count() -> None:
    died = launch(1, "write0", "read0", "write1", ended=False)
    assert phases([*died, *launch(2, "write0", "read0", "write1", "read1")]) == ["write", "read"] * 3


def test_it_is_known_also_before_the_case_is_carried_out_again() -> None:
    assert phases(launch(1, "write0", "read0", "write1", ended=False)) == ["write", "read"]


def test_a_repetition_that_was_whole_when_the_launch_died_counts() -> None:
    died = launch(1, "write0", "read0", ended=False)
    assert phases([*died, *launch(2, "write0", "read0")]) == ["write", "read"] * 2


def test_what_nobody_knows_to_be_cut_counts() -> None:
    assert phases(launch(1, "write0", ended=False)) == ["write"]
    other = launch(2, "write0", "read0", case="b")
    assert phases([*launch(1, "write0", ended=False), *other]) == ["write", "write", "read"]


@pytest.mark.parametrize("ended", [True, False])
def test_a_case_that_fails_in_its_own_right_keeps_what_it_gave(ended: bool) -> None:
    """Its pass has ended, by the next one's beginning or the launch's end."""
    one = launch(1, "write0", ended=ended)
    records = [*one, *([] if ended else [BeginRecord(case="b", launch=1)]), *launch(2, "write0", "read0")]
    assert phases(records) == ["write", "write", "read"]


def test_samples_without_a_beginning_all_count() -> None:
    """As those of another benchmark, which were read."""
    taken = [record for record in launch(1, "write0", ended=False) if isinstance(record, SampleRecord)]
    passes = Passes()
    for record in [*taken, *launch(2, "write0", "read0")]:
        passes.note(record)
    assert passes.unfinished() == set()
