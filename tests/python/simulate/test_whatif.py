"""What changes of a machine buy."""

from pathlib import Path

import pytest

from toy_machine import faster_with_targets, toy
from weir.errors import WeirError
from weir.questions.question import draw
from weir.report.page import read_report
from weir.simulate.model import path_of
from weir.simulate.run import Simulated, write_run
from weir.simulate.settings import USUAL
from weir.simulate.simulate import Asked
from weir.simulate.whatif import TOGETHER, machines_of, parse_change, times_as_fast, variants


def changes(*words: str) -> list:
    return [parse_change(word, toy()) for word in words]


def test_changes_are_values_or_multiples() -> None:
    values = [(one.words, one.base) for one in changes("targets.count=16")]
    assert values == [("storage.targets.count 16", 16)]
    (doubled,) = changes("targets.write = 2x")
    assert (doubled.base, doubled.words) == (2e8, "storage.targets.write 200 MB/s")
    (lock,) = changes("locks.unit=stripe")
    assert lock.base == "stripe"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("targets.count", "'targets.count' is no change of a machine"),
        ("targets.cout=3", "targets.cout=3: a machine has no 'targets.cout'. Did you mean 'targets.count'?"),
        ("targets.write=5", "targets.write=5: '5' is not a bandwidth (its unit is missing)"),
        ("targets.write=-5 MB/s", "it must be more than 0"),
        ("bisection=x2", "'network.bisection' has no value to multiply"),
        ("locks.unit=x2", "has no value to multiply"),
        ("targets.count=x1.3", "targets.count=x1.3: '10.4' is not a count (the machine has 8)"),
        ("targets.write=5", "Write for example targets.write=350MB/s"),
    ],
)
def test_other_changes_are_refused(word: str, said: str) -> None:
    with pytest.raises(WeirError) as refused:
        parse_change(word, toy())
    assert said in str(refused.value)


def test_each_alone_and_all_together() -> None:
    tried = machines_of(toy(), changes("targets.count=16", "metadata.open=0.1 ms"))
    found = list(variants(faster_with_targets, toy(), tried, Asked("any", 1, USUAL), [4, 8]))
    assert [one.change for one in found] == [
        "",
        "storage.targets.count 16",
        "storage.metadata.open 100 us",
        TOGETHER,
    ]
    gains = [times_as_fast(found[0].results[-1], one.results[-1]) for one in found]
    assert gains[0] == 1
    assert 1 < gains[1] < gains[3]
    assert 1 < gains[2] < gains[3]


def test_a_change_that_is_impossible_alone_is_tried_with_the_others() -> None:
    first, *_, whole = machines_of(toy(), changes("stripes=16", "targets.count=16"))
    assert first.machine is None
    assert first.why == "storage.stripes is 16, and storage.targets.count is 8"
    assert whole.machine
    with pytest.raises(WeirError, match=r"^storage.stripes is 16, .*Change less, or the other value too"):
        machines_of(toy(), changes("stripes=16"))


def test_a_key_that_is_changed_twice_is_refused() -> None:
    with pytest.raises(WeirError, match=r"storage.targets.count is changed twice"):
        machines_of(toy(), changes("targets.count=16", "targets.count=x3"))


def test_the_first_screen_says_what_changes_buy(tmp_path: Path) -> None:
    tried = machines_of(toy(), changes("targets.write=x2"))
    parts = list(variants(faster_with_targets, toy(), tried, Asked("any", 1, USUAL), [4]))
    run = write_run(tmp_path / "run", Simulated("dumps", USUAL, parts), [])
    rows = {row.subject: row.value for row in read_report(run.path).screen.rows}
    assert rows["storage.targets.write 200 MB/s",].times == pytest.approx(
        times_as_fast(parts[0].results[0], parts[1].results[0])
    )
    assert ("Time", "4 ranks") in rows
    drawn = draw("utilisation", read_report(run.path).contents.rows, {})
    assert drawn
    assert [panel.title for panel in drawn.panels] == [""]


def test_multiples_of_counts_are_whole() -> None:
    assert [one.base for one in changes("targets.count=x0.25", "stripes=1.5x")] == [2, 6]
    ten = toy().changed({path_of("targets.count"): 10})
    assert parse_change("targets.count=x1.1", ten).base == 11
