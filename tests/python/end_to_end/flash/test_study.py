"""The study of Saini and others with the real core: its cases, the formula of its sizes, and a small run."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from weir.core.client import Core
from weir.flash.dump_costs import data_bytes, data_bytes_of_all
from weir.measure.plan import Plan, make_plan
from weir.study.load import find_study, load_study

from ..conftest import CORE, WEIR, need_real_programs, weir
from ..real_programs import run


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    need_real_programs()
    study = load_study(find_study("cxfs-flash-io")).asking_for(["more-ranks", "large-blocks"])
    folder = tmp_path_factory.mktemp("place")
    return make_plan(study, Core(CORE, tmp_path_factory.mktemp("cache")), folder)


def test_the_study_has_the_cases_of_the_figures(plan: Plan) -> None:
    curves = {(case.options["block"], case.ranks) for case in plan.cases if "blocks" in case.comparisons}
    assert curves == {(block, ranks) for block in (8, 16) for ranks in (1, 2, 4, 8)}
    count = Counter(name for case in plan.cases for name in case.comparisons)
    assert (count["sizes"], count["files"], count["more-ranks"], count["large-blocks"]) == (8, 8, 2, 4)
    assert plan.left_out == () or {item.comparisons for item in plan.left_out} == {("format",)}
    for case in plan.cases:
        if "files" in case.comparisons:
            assert (case.options["method"], case.options["alignment"], case.options["sync"]) == (
                "independent",
                0,
                False,
            )


def test_each_pair_differs_in_one_thing(plan: Plan) -> None:
    for name in ("alignment", "records", "datasets", "memory", "packing", "format", "collective", "syncing"):
        cases = [case for case in plan.cases if name in case.comparisons]
        by_ranks = [
            [case for case in cases if case.ranks == ranks] for ranks in {case.ranks for case in cases}
        ]
        for some in by_ranks:
            varying = [key for key in some[0].options if len({repr(case.options[key]) for case in some}) > 1]
            assert len(varying) == 1, name


def test_the_formula_gives_the_bytes_of_the_pattern(plan: Plan) -> None:
    for case in plan.cases:
        if case.options["backend"] == "pnetcdf":
            continue  # its header is part of the format
        totals = plan.descriptions[case.id].totals
        assert totals.bytes_written == data_bytes_of_all(
            case.ranks, case.options["block"], case.options["blocks"]
        )


STUDY = """[study]
name = "tiny"
budget = "60s"
min_samples = 1
max_samples = 1

[fixed]
benchmark = "flash-io"
method = "independent"

[[comparison]]
name = "sizes"
figure = ["dump-sizes", "dump-ranks", "dump-blocks"]
axes = { block = [8], ranks = [1, 2] }

[[comparison.claim]]
machine = "Columbia"
source = "figure 5"
says = "checkpoints are larger than plot files"
[comparison.claim.test]
rule = "ratio"
one = { phase = "checkpoint", metric = "file_bytes" }
other = { phase = "plot", metric = "file_bytes" }
at_least = 9
at_most = 15

[[comparison]]
name = "alignment"
figure = "pairs"
axes = { alignment = ["0B", "1MiB"] }
"""


@pytest.fixture
def shown(place: Path) -> dict[str, Any]:
    """What a run of the study says."""
    Path("study.toml").write_text(STUDY)
    done = weir()
    assert done.returncode in (0, 5), done.stderr  # from one sample no case is precise
    assert list(Path("store").iterdir()) == []
    found: dict[str, Any] = json.loads(run(*WEIR.split(), "show", "RUN", "--json"))
    return found


def test_a_run_gives_all_figures_with_what_the_benchmark_measured(shown: dict[str, Any]) -> None:
    findings = {one["figure"]: one for one in shown["findings"]}
    assert {"dump-sizes", "dump-ranks", "pairs"} <= findings.keys()
    sizes = {
        (row["ranks"], row["phase"]): metric["median"]
        for row in shown["rows"]
        for metric in row["metrics"]
        if metric["key"] == "file_bytes" and row["options"]["alignment"] == 0
    }
    assert len(sizes) == 6
    for (ranks, phase), size in sizes.items():
        assert 8_000 < size - data_bytes(phase, ranks, 8) < 16_000
    growths = [one for one in findings["dump-sizes"]["numbers"] if " over " in one["of"]["blocks"]]
    assert len(growths) == 6 and {one["remark"] for one in growths} == {"by formula"}
    means = [
        m for row in shown["rows"] for m in row["metrics"] if m["key"] == "average_bandwidth_bytes_per_s"
    ]
    assert len(means) == 3 and all(one["median"] > 0 for one in means)
    pairs = [one["value"] for one in findings["pairs"]["numbers"]]
    assert [(one["low"], one["high"], one["n"]) for one in pairs] == [(None, None, 1)] * 3
    assert [one["certainty"] for one in findings["pairs"]["answers"]] == ["open"]
