"""What is warned of, and what is not."""

import json
from typing import Any

import pytest

import synthetic_run
from weir.machine.rules import judge

HEALTHY: dict[str, Any] = json.loads(json.dumps(synthetic_run.CARD))
HEALTHY["first_touch"] = {"first_s_per_page": 2.1e-6, "again_s_per_page": 2.0e-6}
HEALTHY["hand_off"] = {"states": [{"handoff_ns": 42.0}]}
HEALTHY["copies"] = {"bytes": 65536, "offset": 16, "batches": 15, "same_s": 2e-6, "behind_s": 3e-6}
HEALTHY["mpi"]["spins"] = False


def changed(section: str, **values: Any) -> dict[str, Any]:
    return HEALTHY | {section: HEALTHY[section] | values}


def test_a_healthy_machine_gives_no_warning() -> None:
    assert judge(HEALTHY) == []


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (changed("first_touch", first_s_per_page=8.6e-6), "cold-memory"),
        (changed("cgroup", memory_limit_bytes=1 << 30), "memory-limit"),
        (changed("cgroup", cpu_limit=0.5), "cpu-limit"),
        (changed("memory", available_bytes=1 << 30), "little-memory"),
        (changed("load", tasks_1min=3.0), "busy"),
        (changed("cpu", governor="powersave"), "governor"),
        (changed("mpi", spins=True), "spinning"),
        (changed("mpi", launcher=None), "no-launcher"),
        (changed("mpi", launcher=None, launcher_fails="it ended with 1"), "no-launcher"),
        (changed("file_system", nature="memory", type="tmpfs"), "in-memory"),
        (changed("file_system", nature="network", type="nfs4"), "network-file-system"),
        (changed("file_system", available_bytes=1 << 30), "nearly-full"),
        (changed("file_system", options=["rw", "sync"]), "sync-mount"),
        (changed("file_system", options=["rw", "nobarrier"]), "volatile-write-cache"),
        (changed("hand_off", states=[{"handoff_ns": 42.0}, {"handoff_ns": 250.0}]), "states"),
        (changed("copies", behind_s=3.8e-5), "slow-copies"),
        (HEALTHY | {"core": None}, "no-weir-core"),
    ],
)
def test_each_trouble_is_warned_of_with_why_and_advice(card: dict[str, Any], code: str) -> None:
    warnings = judge(card)
    assert [warning["code"] for warning in warnings] == [code]
    assert all(warnings[0][key] for key in ("problem", "why", "advice"))


def test_what_is_not_known_is_not_warned_of() -> None:
    assert judge(dict.fromkeys(HEALTHY) | {"core": {}}) == []
