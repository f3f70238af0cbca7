"""`weir fit`, with the core."""

import json
from pathlib import Path

import pytest

from toy_machine import TOY
from verbs import weir_ended, weir_told
from weir.simulate.find import load_machine

APPLICATION = "flash-io --blocks 4"


def simulated_s(ranks: int, machine: Path) -> float:
    words = ("predict", APPLICATION, "--on", machine, "--ranks", ranks, "-o", f"run{ranks}", "--json")
    return float(json.loads(weir_told(*words))["results"][0]["time_s"])


def test_it_finds_values_again_and_writes_the_model(place: Path) -> None:
    true = place / "true.toml"
    true.write_text(TOY.read_text().replace('"100 MB/s"', '"40 MB/s"'))
    rows = [f"{APPLICATION},{ranks},time,{simulated_s(ranks, true):.6g} s" for ranks in (1, 2, 4)]
    (place / "data.csv").write_text("\n".join(["pattern,ranks,quantity,value", *rows]) + "\n")
    words = ("fit", TOY, "data.csv", "--free", "targets.write", "--evaluations", 40, "-o", "new.toml")
    told = weir_told(*words)
    assert "each left out: error" in told
    assert "Written: new.toml" in told
    machine = load_machine(Path("new.toml"))
    assert machine.name == "new"
    assert machine.number("storage", "targets", "write") == pytest.approx(4e7, rel=0.02)
    found = json.loads(weir_told(*words[:-2], "--json"))
    assert found["errors"]["left_out"]["worst"] < 0.02
    assert found["errors"]["check"] is None


def test_what_came_of_it_is_told(place: Path) -> None:
    (place / "data.csv").write_text(f"pattern,ranks,quantity,value\n{APPLICATION},4,time,9000 s\n")
    words = ("fit", TOY, "data.csv", "--free", "targets.write,nodes.copy", "--evaluations", "10")
    done = weir_ended(*words, "-o", "my model.toml")
    assert done.returncode == 5
    assert "no value in the range reaches these numbers" in done.stdout
    assert load_machine(Path("my model.toml")).name == "my-model"
    assert "cannot write 'gone/new.toml'" in weir_ended(*words, "-o", "gone/new.toml").stderr


def test_bad_input_is_refused(place: Path) -> None:
    (place / "data.csv").write_text(f"pattern,ranks,quantity,value\n{APPLICATION},4,time,3\n")
    done = weir_ended("fit", TOY, "data.csv", "--free", "targets.write")
    assert done.returncode == 2
    assert "data.csv:2: '3' is not a time" in done.stderr
    done = weir_ended("fit", TOY, "data.csv", "--free", "targets.write,targets.write")
    assert "storage.targets.write is free twice. Name it once" in done.stderr
