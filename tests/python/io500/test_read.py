"""Reading submissions: every format, whose numbers they are, and which do not count."""

import json
from collections import Counter
from pathlib import Path

import pytest

from verbs import weir_here
from weir.compare.profile import read_profile
from weir.io500.clients import Clients, clients_of
from weir.io500.phases import GIB, PHASES
from weir.io500.submissions import find_submissions
from weir.io500.summary import read_summary

from .made_submissions import RATES, ior, old_summary, submit, summary


def test_both_formats_give_the_same_numbers() -> None:
    rates = {name: round(value, 3) for name, value in RATES.items()}
    found = read_summary(summary(rates)), read_summary(old_summary(rates))
    for one in found:
        assert {name: result.value for name, result in one.results.items()} == {
            name: value * (GIB if name.startswith("ior") else 1000) for name, value in rates.items()
        }
        assert not one.missing and not one.invalid
    assert (found[0].version, found[1].version) == ("io500-sc25", "")
    assert found[0].results["find"].seconds == 301.25
    assert found[1].results["find"].seconds == 33.6


def test_numbers_are_those_printed() -> None:
    assert read_summary(summary()).results["mdtest-easy-write"].value == 119113.15


@pytest.mark.parametrize("value", ["nan", "inf", "-3.0", "0.0", "many"])
def test_what_is_no_rate_is_missing(value: str) -> None:
    text = summary().replace(f"{RATES['find']:15.6f}", f" {value} ")
    assert read_summary(text).missing == ["find"]


def test_invalid_is_seen_in_either_place() -> None:
    assert read_summary(summary(invalid=("ior-easy-write",))).invalid
    assert read_summary(summary().rstrip() + " [INVALID]\n").invalid


@pytest.mark.parametrize(
    ("text", "result", "clients"),
    [
        (ior(nodes=10, tasks=240, per_node=24), "", Clients(10, 240, "POSIX")),
        (ior(nodes=None, tasks=250, per_node=24, api="DFS"), "", Clients(11, 250, "DFS")),
        ("", "[run]\nprocs           = 640\n", Clients(None, 640, None)),
        ("", "", Clients(None, None, None)),
    ],
)
def test_clients_are_told_or_unknown(text: str, result: str, clients: Clients) -> None:
    assert clients_of(text, result) == clients


def test_what_does_not_count_is_counted(tmp_path: Path) -> None:
    clients = ior(nodes=10, tasks=240, per_node=24)
    other = {**RATES, "find": 1.0}
    site = tmp_path / "Site/Machine/Lustre/2025"
    submit(site / "submission-1", summary(), clients=clients)
    submit(site / "submission-1", summary(other), place=".")  # a copy of another list's
    submit(site / "submission-2", summary({**RATES, "find": 2.0}, invalid=("ior-hard-write",)))
    submit(site / "submission-3", summary({name: 3.0 for name in RATES if name != "find"}))
    submit(site / "submission-4", summary())
    submit(site / "submission-5", summary({**RATES, "find": 5.0}), place="a")
    submit(site / "submission-5", summary({**RATES, "find": 6.0}), place="b")
    submit(site / "submission-6", summary({**RATES, "find": 7.0}))
    (site / "submission-6/results/2025.05.03-09.25.44/result_summary.txt").write_bytes(b" " * (9 << 20))
    submit(tmp_path / "mine", summary({**RATES, "find": 8.0}), place=".")
    found = find_submissions(tmp_path)
    assert [one.name for one in found.submissions] == ["Site/Machine/Lustre/2025/submission-1", "mine"]
    assert found.submissions[0].clients.nodes == 10
    assert found.submissions[0].summary.results["find"].value == RATES["find"] * 1000
    assert {one.name[-1]: one.why for one in found.left_out} == {
        "2": "invalid",
        "3": "incomplete",
        "4": "twice",
        "5": "ambiguous",
        "6": "unreadable",
    }


def test_the_verb_makes_a_profile_each(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    submit(
        folder / "A B/ü/Lustre/2019/submission-7", old_summary(), clients=ior(nodes=4, tasks=8, per_node=2)
    )
    submit(folder / "C/x/GPFS/2024/submission-8", summary({**RATES, "find": 9.0}))
    submit(folder / "C/x/GPFS/2024/submission-9", summary(invalid=("find",)))
    out = tmp_path / "profiles"
    done = weir_here("read", "--io500", folder, "--out", out, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [one["nodes"] for one in told["submissions"]] == [4, None]
    assert told["left_out"] == [{"name": "C/x/GPFS/2024/submission-9", "why": "invalid"}]
    files = sorted(out.iterdir())
    assert [path.name for path in files] == [
        "A-B---Lustre-2019-submission-7.profile.json",
        "C-x-GPFS-2024-submission-8.profile.json",
    ]
    first = read_profile(files[0])
    assert (first.name, first.created_at) == ("A B/ü/Lustre/2019/submission-7", "2019")
    assert [row.phase for row in first.rows] == [*PHASES]
    assert Counter(len(row.samples) for row in first.rows) == {1: 12}
    assert {(row.options["nodes"], row.ranks) for row in first.rows} == {(4, 8)}


def test_bad_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    submit(tmp_path / "all/submission-1", summary(invalid=("find",)))
    submit(tmp_path / "good/submission-1", summary())
    (tmp_path / "here").mkdir()
    for words in (
        ("--io500", tmp_path / "absent", "--out", tmp_path / "o"),
        ("--io500", tmp_path / "empty", "--out", tmp_path / "o"),
        ("--io500", tmp_path / "all", "--out", tmp_path / "o"),
        ("--io500", tmp_path / "good", "--out", tmp_path / "here"),
        ("--io500", tmp_path / "good", tmp_path / "file.txt", "--out", tmp_path / "o"),
        (),
    ):
        assert weir_here("read", *words).exit_code == 2, words
    assert not (tmp_path / "o").exists() and not [*(tmp_path / "here").iterdir()]
