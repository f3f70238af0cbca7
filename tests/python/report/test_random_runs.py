"""Random runs, whose every number is taken again from the samples, by what the documents say and not by
Weir's own code."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference_statistics import estimate, inverse
from sample_lines import sample_line
from synthetic_run import write_run
from verbs import weir_here

SEEDS = range(30, 42)
SHARES = [0.05 / pairs for pairs in range(1, 5)]
AXES: dict[str, dict[str, list[Any]]] = {
    "transfer": {"transfer": [1 << 10, 1 << 16, 1 << 20, 1 << 24]},
    "layout": {"transfer": [1 << 16, 1 << 20], "layout": ["shared", "file-per-process"]},
    "backend": {"transfer": [1 << 16, 1 << 20], "backend": ["posix", "mpiio", "hdf5"]},
}
NAMES = {"shared": "shared file", "file-per-process": "file per process"}
NAMES |= {"posix": "POSIX", "mpiio": "MPI-IO independent", "hdf5": "HDF5"}
REFERENCES = {"shared file", "POSIX"}
PLAIN = {"backend": "posix", "layout": "shared", "transfer": 1 << 20, "block": 1 << 26, "sync": "close"}
CACHE = {"methods": ["drop"], "suspect": False, "device_bytes": 1, "resident_before_share": 0.0, "why": ""}
Samples = dict[tuple[str, str], dict[int, float]]


def drawn(rng: random.Random) -> list[float | None]:
    count, base = rng.choice([1, 5, 6, 7, 11, 13, 17, 23]), rng.choice([4e8, 1e9, 1.05e9, 2e9])
    noise = rng.choice([0.0, 0.01, 0.05, 0.3])
    factors = rng.choice([[1.0], [1.0, 1.0], [1.0, 4.0], [1 + at / count for at in range(count)]])
    made = [base * factors[at % len(factors)] * rng.lognormvariate(0, noise) for at in range(count)]
    return [value if value == made[0] or rng.random() < 0.97 else None for value in made]


def random_run(run: Path, seed: int) -> tuple[dict[str, dict[str, Any]], Samples]:
    rng, cases, samples, lines = random.Random(seed), dict[str, dict[str, Any]](), Samples(), list[Any]()
    write_run(run)  # for all but its cases
    text = '[study]\nname = "random"\n[fixed]\nbenchmark = "storage"\n'
    for figure in rng.sample(sorted(AXES), 2):
        text += f'[[comparison]]\nname = "{figure}"\nfigure = "{figure}"\n'
        for values in itertools.product(*AXES[figure].values()):
            options = PLAIN | dict(zip(AXES[figure], values, strict=True))
            name = json.dumps(options)
            made = {"kind": "case", "case": name, "benchmark": "storage", "ranks": 2}
            made |= {"schema": 1, "env": {}, "options": options, "label": "", "comparisons": []}
            cases.setdefault(name, made)["comparisons"].append(figure)
    (run / "study.toml").write_text(text)
    for case, phase in itertools.product(cases, ("write", "read")):
        for at, value in enumerate(drawn(rng) if rng.random() < 0.9 else []):
            keys = {"round": at, "sync": "close", "bytes_written": 1 << 27, "bytes_read": 0}
            keys = keys if phase == "write" else {"round": at, "cache": CACHE, "bytes_read": 1 << 27}
            lines.append(sample_line(case, phase, bandwidth_bytes_per_s=value, warnings=[], **keys))
            samples.setdefault((case, phase), {}).update({at: value} if value else {})
    (run / "samples.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in (*cases.values(), *lines)))
    return cases, samples


def ratios_of(figure: str, phase: str, samples: Samples) -> Iterator[tuple[str, str, list[float]]]:
    """Of all pairs of cases that differ in nothing else."""
    for (one, of_one), (two, of_two) in itertools.permutations(samples, 2):
        first, second = json.loads(one), json.loads(two)
        if {**first, figure: 0} == {**second, figure: 0} and of_one == of_two == phase:
            both = samples[one, phase].keys() & samples[two, phase].keys()
            found = [samples[one, phase][at] / samples[two, phase][at] for at in both]
            yield NAMES[first[figure]], NAMES[second[figure]], found


def check_choice(answer: dict[str, Any], samples: Samples) -> None:
    """The best over the other is that of a pair, and what is preferred is surely slower in none."""
    found = [*ratios_of(answer["figure"], answer["subject"][0], samples)]
    ways = answer["value"]["best"], answer["value"]["other"]
    told = [answer["value"]["ratio"][name] for name in ("times", "low", "high", "n")]
    ours = [
        (estimate(of, share), (one, other) == ways)
        for one, other, of in found
        if {one, other} == {*ways}
        for share in SHARES
    ]
    assert any(told == pytest.approx(one if same else inverse(one)) for one, same in ours)
    known = [(one, of) for one, other, of in found if other == ways[0] and REFERENCES & {one, other}]
    slower = [one for one, of in known if (estimate(of, 0.01)[1] or 0) > 1.1]
    assert answer["action"] != "choose" or not slower


def has_interval(value: dict[str, Any] | None) -> bool:
    """Or is no number of samples."""
    found = value["ratio"] if value and value["kind"] == "choice" else value
    return not found or "low" not in found or None not in (found["low"], found["high"])


@pytest.mark.parametrize("seed", SEEDS)
def test_every_number_is_that_of_its_samples(tmp_path: Path, seed: int) -> None:
    cases, samples = random_run(tmp_path / "run", seed)
    shown = weir_here("show", tmp_path / "run", "--json")
    told = json.loads(shown.stdout, parse_constant=pytest.fail)
    of_rows = {(row["case"], row["phase"]): row for row in told["rows"]}
    estimates = {key: estimate([*values.values()]) for key, values in samples.items() if values}
    for key, found in estimates.items():
        assert [of_rows[key][name] for name in ("median", "low", "high", "samples")] == pytest.approx(found)
    for finding in told["findings"]:
        asked = {name for name, case in cases.items() if finding["figure"] in case["comparisons"]}
        for answer in finding["answers"]:
            assert asked.issuperset(answer["open_cases"]) and answer["figure"] == finding["figure"]
            assert answer["certainty"] != "sure" or not answer["open_cases"]
            assert answer["certainty"] != "sure" or has_interval(answer["value"])
            if answer["value"] and answer["value"]["kind"] == "choice":
                check_choice(answer, samples)
        for value in (one["value"] for one in finding["numbers"] if one["value"]["kind"] == "quantity"):
            ours = [value[name] for name in ("median", "low", "high", "n")]
            assert any(ours == pytest.approx(found) for found in estimates.values())
