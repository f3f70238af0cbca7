"""The model in a machine profile; tests/array/planner/machine_profile_test.cpp reads the same file."""

import json
from pathlib import Path

import pytest

from messages import THREE, sampled
from network.made_run import HELD_OUT, USED
from weir.errors import WeirError
from weir.network.loggp import make_model
from weir.network.profile import as_data, write_into

KEPT = Path(__file__).parents[2] / "golden" / "network-profile.json"


def written(path: Path) -> dict[str, object]:
    model = make_model(sampled(THREE.time, USED, 0.01), sampled(THREE.time, HELD_OUT, 0.01, seed=2))
    write_into(path, [as_data("cache", model)], "a run")
    found: dict[str, object] = json.loads(path.read_text())
    return found


def rounded(tree: object) -> object:
    if isinstance(tree, float):
        return float(f"{tree:.6g}")
    if isinstance(tree, list):
        return [rounded(part) for part in tree]
    return {key: rounded(part) for key, part in tree.items()} if isinstance(tree, dict) else tree


def test_the_profile_is_the_one_that_the_planner_reads(tmp_path: Path) -> None:
    assert rounded(written(tmp_path / "p.json")) == json.loads(KEPT.read_text())


def test_other_keys_stay(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"weir_profile": 1, "host": "h", "array": {"message_s": 2}, "network": 3}')
    found = written(path)
    assert (found["host"], found["array"]) == ("h", {"message_s": 2})
    assert list(found["network"]) == ["source", "paths"]  # type: ignore[call-overload]


@pytest.mark.parametrize("text", ["", "[]", '{"weir_profile": 2}', "{"])
def test_what_is_no_profile_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(text)
    with pytest.raises(WeirError, match="no machine profile"):
        written(path)
    assert path.read_text() == text


if __name__ == "__main__":
    KEPT.unlink(missing_ok=True)
    KEPT.write_text(json.dumps(rounded(written(KEPT)), indent=1) + "\n")
