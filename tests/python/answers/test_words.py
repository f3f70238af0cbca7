"""Answers and caveats in words, for any face."""

import importlib
import pkgutil
import re
from dataclasses import asdict

import pytest

import weir
from weir.analyse.metric import Metric
from weir.answers.answer import (
    Answer,
    Caveat,
    Certainty,
    Choice,
    Cost,
    Count,
    Evidence,
    Ratio,
    Several,
    Tally,
    Threshold,
    Value,
)
from weir.answers.bars import Bar, bars
from weir.answers.data import answer_data
from weir.answers.evidence import evidence_words
from weir.answers.quantities import quantity_from, single
from weir.answers.tables import ACTIONS, CAVEATS, REASONS, TITLES, declare
from weir.answers.words import DOTS, action_of, caveat_words, exact_words, title_of, value_of, value_words
from weir.explain.rule import rules
from weir.questions.question import figures

BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
TIME = Metric("elapsed_s", "s", "time", False)
MIB = 1 << 20
SURE = Ratio(1.84, 1.52, 2.13, 9)
MOST_WORDS = 12
BEFORE_A_NOUN = re.compile(r"{(count|of)[^}]*} (?!of )[a-z]")


def every_first_screen() -> list[str]:
    """All declare their lines in this process, as do the rules of traces."""
    assert rules()
    names = [one.name for one in pkgutil.walk_packages(weir.__path__, "weir.")]
    return [name for name in names if name.endswith(".first_screen") and importlib.import_module(name)]


@pytest.mark.parametrize("table", [TITLES, ACTIONS, REASONS, CAVEATS])
def test_no_line_of_a_table_is_longer_than_twelve_words(table: dict[str, str]) -> None:
    assert rules(), "which declare lines"
    assert {line: len(line.split()) for line in table.values() if len(line.split()) > MOST_WORDS} == {}


@pytest.mark.parametrize("line", ["{count} rows", "{count} of {of} rows", "in {count:,} of {of} rows"])
def test_a_noun_after_a_number_is_found(line: str) -> None:
    assert BEFORE_A_NOUN.search(line)


def test_no_caveat_says_1_rows() -> None:
    every_first_screen()
    assert {line for line in CAVEATS.values() if BEFORE_A_NOUN.search(line)} == set()


def test_no_two_verbs_declare_different_lines_of_one_key() -> None:
    """All of them in this process, as a key that two take stops whichever is imported last."""
    assert len(every_first_screen()) > 5


def test_every_figure_asks_in_twelve_words_and_has_a_short_title() -> None:
    known = figures()
    assert len(known) > 20
    for name, one in known.items():
        assert 0 < len(one.asks.split()) <= MOST_WORDS, name
        assert 0 < len(one.title.split()) <= 4, name


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (SURE, "1.8 times [1.5, 2.1] (n = 9)"),
        (Ratio(8.0, 7.0, 9.0, 9, "the storage"), "8.0 times the storage [7.0, 9.0] (n = 9)"),
        (Ratio(1.84, None, None, 3), "1.8 times (n = 3, no interval)"),
        (
            Choice("a file a rank", "one file", SURE, differs=True),
            "a file a rank 1.8 times one file [1.5, 2.1] (n = 9)",
        ),
        (
            Choice("a file a rank", "one file", SURE, differs=False),
            "a file a rank 1.8 times one file [1.5, 2.1] (n = 9)",
        ),
        (Threshold("transfer", "256 KiB"), "256 KiB"),
        (Threshold("transfer", "256 KiB", "1 MiB"), "between 256 KiB and 1 MiB"),
        (Threshold("ranks", "16 ranks", rising=True), "still better at 16 ranks"),
        (Count(3, 1200), "3 of 1,200"),
        (Cost(0.223, 0.25), "up to 223 ms, 25 %"),
        (Cost(0.223), "up to 223 ms"),
        (Tally(6, 3, 5), "6 hold, 3 do not, 5 undecided"),
    ],
)
def test_each_kind_of_value(value: Value, words: str) -> None:
    assert value_words(value) == words


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([100 * MIB] * 6, "100 MiB/s ±1 % (n = 6)"),
        ([100 * MIB], "100 MiB/s (n = 1, no interval)"),
        ([one * MIB for one in (98, 99, 100, 100, 130, 131)], "100 MiB/s [98.0, 131] (n = 6)"),
        ([one * MIB for one in (98, 99, 100, 100, 101, 107)], "100 MiB/s ±7 % (n = 6)"),
        ([one * MIB for one in (50, 90, 100, 100, 110, 400)], "100 MiB/s [50.0, 400] (n = 6)"),
        ([0.0] * 8, "0 MiB/s ±1 % (n = 8)"),
        ([MIB * 10.0, MIB * 90.0] * 5, "10.0 or 90.0 MiB/s, alternating (n = 10)"),
        ([MIB * 90.0] * 5 + [MIB * 10.0] * 5, "90.0, then 10.0 MiB/s (n = 10)"),
        ([MIB * (100.0 - 4 * at) for at in range(10)], "82.0 MiB/s ±22 %, drifting (n = 10)"),
    ],
)
def test_a_quantity_has_its_interval_or_says_why_not(values: list[float], words: str) -> None:
    assert value_words(quantity_from(BANDWIDTH, values)) == words


def test_shares_and_quotients_have_their_unit() -> None:
    assert value_words(Ratio(0.427, 0.4, 0.471, 8, "the time", "%")) == "43 % the time [40, 47] (n = 8)"
    assert value_words(Ratio(0.84, None, None, 2, unit="B/flop")) == "0.84 B/flop (n = 2, no interval)"
    assert value_words(Ratio(1.4, 0.9, 2.1, 6, unit="%")) == "140 % [90, 210] (n = 6)"


def test_numbers_in_full_have_the_ends_of_their_interval() -> None:
    rates = quantity_from(BANDWIDTH, [MIB * one for one in (90.0, 95.0, 100.0, 100.0, 105.0, 110.0)])
    assert exact_words(rates) == "100 [90.0, 110] MiB/s (n = 6)"
    assert exact_words(quantity_from(TIME, [1e-3] * 6)) == "1.00 ms [1.00 ms, 1.00 ms] (n = 6)"
    assert exact_words(single("s", "s", 0.02, 1)) == "20.0 ms (n = 1, no interval)"
    assert exact_words(SURE) == "1.84 times [1.52, 2.13] (n = 9)"


def test_modes_of_times_have_a_unit_each() -> None:
    assert value_words(quantity_from(TIME, [1e-3, 2.0] * 5)) == "1.00 ms or 2.00 s, alternating (n = 10)"


def test_titles_and_actions() -> None:
    known = Answer(
        "transfer",
        ("write",),
        Threshold("transfer", "64 KiB"),
        action="from",
        words={"at": "64 KiB"},
        title="Request size",
    )
    assert (title_of(known), action_of(known)) == ("Request size, write", "use 64 KiB or more")
    assert title_of(Answer("call-time", ("Bcast",))) == "Call time, Bcast"
    assert title_of(Answer("phase-bars")) == "Phase bars"
    assert action_of(Answer("ranks")) == ""
    assert value_of(Answer("ranks", certainty=Certainty.OPEN)) == "undecided"
    assert value_of(Answer("ranks", certainty=Certainty.NOT_MEASURED)) == "no honest number"
    assert DOTS.keys() == {*Certainty}


def test_caveats_are_counted() -> None:
    assert caveat_words(Caveat("cached", 2, 9)) == "results that come from the cache: 2 of 9"


def test_a_key_of_a_table_has_one_line() -> None:
    table = {"a": "one"}
    declare(table, {"a": "one", "b": "two"})
    assert table == {"a": "one", "b": "two"}
    with pytest.raises(ValueError, match="'b' has the line 'two'"):
        declare(table, {"b": "three"})


def test_costs_are_on_the_scale_of_the_run() -> None:
    costs = [Answer("seen", value=Cost(2.0, 0.5)), Answer("seen", value=Cost(1.0))]
    assert bars(costs) == [Bar((0.5,), 0, 0.5), Bar((0.5,), 0, 0.5)]


def test_evidence_is_shown_with_its_unit() -> None:
    evidence = [Evidence("a", 60000), Evidence("b", 2.5), Evidence("c", 0.9999, "share"), Evidence("d", "x")]
    assert [evidence_words(one) for one in evidence] == ["60,000", "2.5", "99.99 %", "x"]
    assert evidence_words(Evidence("e", 1, "share")) == "100 %"
    shown = [evidence_words(Evidence("f", 3e6, unit)) for unit in ("s", "B", "B/s")]
    assert shown == ["833h 20m", "2.86 MiB", "2.86 MiB/s"]


def test_bars_of_a_metric_share_a_scale_and_those_of_ratios_have_a_middle() -> None:
    slow, fast = (Answer("quantity", value=quantity_from(BANDWIDTH, [one] * 6)) for one in (1.0, 4.0))
    ratio = Answer("layout", value=Choice("a", "b", Ratio(30.0, 1.0, 100.0, 6), differs=True))
    assert bars([slow, fast, ratio, Answer("ranks")]) == [
        Bar((0.25,), 0.25, 0.25),
        Bar((1.0,), 1.0, 1.0),
        Bar((1.0,), 0.5, 1.0, middle=True),
        None,
    ]
    share, quotient = (
        Answer("rings", value=Ratio(0.5, 0.25, 0.75, 6, unit=unit)) for unit in ("%", "B/flop")
    )
    assert bars([share, quotient]) == [Bar((0.5,), 0.25, 0.75), None]
    longer = Answer("call-time", value=Ratio(30.0, 1.0, 100.0, 6, unit="times as long"))
    assert bars([longer]) == [Bar((1.0,), 0.5, 1.0, middle=True)]
    both = Answer("quantity", value=quantity_from(BANDWIDTH, [1.0, 4.0] * 5))
    assert bars([both]) == [Bar((0.25, 1.0), 0.25, 1.0)]
    assert bars([Answer("quantity", value=quantity_from(BANDWIDTH, [0.0] * 6))]) == [None]


def test_an_answer_for_programs_has_plain_numbers_and_what_is_shown() -> None:
    data = answer_data(
        Answer(
            "layout", ("write",), Choice("a", "b", SURE, differs=True), action="choose", words={"best": "a"}
        )
    )
    assert data["value"] == {
        "kind": "choice",
        "best": "a",
        "other": "b",
        "ratio": {"times": 1.84, "low": 1.52, "high": 2.13, "n": 9, "of": "", "unit": "times"},
        "differs": True,
    }
    assert data["shown"] == {
        "title": "Layout, write",
        "value": "a 1.8 times b [1.5, 2.1] (n = 9)",
        "reason": "",
        "action": "prefer a",
    }
    found = answer_data(Answer("quantity", ("Write",), quantity_from(BANDWIDTH, [1.0, 2.0])))["value"]
    assert found["median"] == 1.5 and found["low"] is None and found["modes"] == [{"median": 1.5, "n": 2}]


def test_several_values_stand_side_by_side_and_share_their_counts() -> None:
    write, read = (
        quantity_from(BANDWIDTH, [MIB * value for value in (98, 99, 100, 100, 101, 102)]) for _ in "wr"
    )
    assert value_words(Several((("write", write), ("read", read)))) == (
        "write 100 MiB/s ±2 %, read 100 MiB/s ±2 % (n = 6)"
    )
    alone = single("dump_s", "s", 80.0, 1)
    assert value_words(Several((("write", write), ("dump", alone)))) == (
        "write 100 MiB/s ±2 %, dump 80.0 s (n ≥ 1, 1 without interval)"
    )
    assert value_words(Several((("dump", alone),))) == "dump 80.0 s (n = 1, no interval)"


def test_a_unit_that_several_values_have_stands_behind_the_last_one() -> None:
    ratios = [Ratio(times, 0.9 * times, 1.1 * times, 12, unit="B/flop") for times in (0.5, 0.2)]
    assert value_words(Several((("copy", ratios[0]), ("rings", ratios[1])))) == (
        "copy 0.50 ±10 %, rings 0.20 ±10 % B/flop (n = 12)"
    )
    assert value_words(Several((("copy", Ratio(1.0, 0.4, 2.3, 6, unit="B/flop")),))) == (
        "copy 1.0 [0.40, 2.3] B/flop (n = 6)"
    )
    known = Several((("memory", Threshold("ranks", "1")), ("compute", Threshold("ranks", "2", rising=True))))
    assert value_words(known) == "memory 1, compute more than 2 ranks"
    assert value_words(Several((("memory", None), ("disk", Threshold("ranks", "1"))))) == (
        "memory undecided, disk 1 rank"
    )
    assert value_words(Several((("memory", Threshold("ranks", "2", "8")),))) == "memory 2 to 8 ranks"


def test_several_values_are_data_each() -> None:
    answer = Answer("", value=Several((("copy", SURE), ("rings", None))))
    found = answer_data(answer)["value"]
    assert found["kind"] == "several"
    assert found["values"][0] == {"of": "copy", "value": {"kind": "ratio", **asdict(SURE)}}
    assert found["values"][1] == {"of": "rings", "value": None}
