"""What is asked of a simulation, and what it says."""

from typing import Any

import pytest
from msgspec.structs import replace

from toy_machine import TOY, faster_with_targets, simulation, toy
from weir.errors import WeirError
from weir.simulate.model import parse_machine
from weir.simulate.quantities import parse_quantity
from weir.simulate.result import Simulation
from weir.simulate.samples import samples_of
from weir.simulate.settings import Settings
from weir.simulate.simulate import Asked, check_ranks, parse_ranks, simulate_all, simulator


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("4", [4]),
        ("1, 4,16", [1, 4, 16]),
        ("1,2,…,16", [1, 2, 4, 8, 16]),
        ("1,2,...,16", [1, 2, 4, 8, 16]),
        ("1,4,…,508", [1, 4, 16, 64, 256, 508]),
        ("24,36,…,72", [24, 36, 48, 60, 72]),
    ],
)
def test_ranks_are_lists_and_series(text: str, counts: list[int]) -> None:
    assert parse_ranks(text) == counts


@pytest.mark.parametrize(
    "text", ["", "0", "4,2", "4,4", "four", "…,8", "1,…,8", "1,2,…", "-1", "²", "1,2,…,8²"]
)
def test_other_ranks_are_refused(text: str) -> None:
    with pytest.raises(WeirError, match="says not how many ranks"):
        parse_ranks(text)


@pytest.mark.parametrize(
    ("ranks", "settings", "said"),
    [
        (65, Settings(), "toy.toml:5: 65 ranks are too many for toy (it has 16 nodes of 4 ranks)"),
        (
            33,
            Settings(ranks_per_node=2),
            "toy.toml:5: 33 ranks are too many for toy (it has 16 nodes of 2 ranks)",
        ),
        (1, Settings(ranks_per_node=5), "toy.toml:6: 5 ranks a node are too many for toy (a node has 4)"),
        (
            1,
            Settings(stripes=9),
            "toy.toml:27: 9 stripes are too many for toy (a file has 8 targets at most)",
        ),
    ],
)
def test_what_a_machine_has_not_is_refused(ranks: int, settings: Settings, said: str) -> None:
    with pytest.raises(WeirError) as refused:
        check_ranks(toy(), Asked("any", ranks, settings))
    assert said in str(refused.value)
    assert "Write for example --" in str(refused.value)


def test_nothing_is_simulated_where_one_count_is_too_large() -> None:
    def never(machine: object, asked: object) -> None:
        raise AssertionError

    with pytest.raises(WeirError, match="too many"):
        list(simulate_all(never, toy(), Asked("any", 1), [1, 65]))


def test_one_for_each_count_in_order() -> None:
    found = simulate_all(faster_with_targets, toy(), Asked("any", 1), [1, 8])
    assert [one.ranks for one in found] == [1, 8]


def test_bandwidths_are_of_the_phases_that_move_bytes() -> None:
    found = simulation(4, time_s=3.0)
    assert found.time_s == pytest.approx(3.0)
    assert found.written == pytest.approx((4 << 20) / 2.0)
    assert found.read == pytest.approx((4 << 20) / 1.0)
    assert found.busiest
    assert found.busiest.share == 0.75


def test_settings_are_those_of_the_machine_where_nobody_asks() -> None:
    assert Settings().given == {}
    assert Settings(stripes=2, method="rank0").given == {"method": "rank0", "stripes": 2}
    assert Settings().on(toy())["stripes"] == 4
    assert Settings(stripes=2).on(toy())["stripes"] == 2


def test_phases_that_only_prepare_do_not_count() -> None:
    whole = simulation(4, time_s=3.0)
    dump, restart = whole.phases
    found = replace(whole, phases=(dump, replace(restart, timed=False)))
    assert found.time_s == pytest.approx(2.0)
    assert found.written == whole.written
    assert found.read is None
    *parts, total = samples_of(found)
    assert [part["details"]["timed"] for part in parts] == [True, False]
    assert (total["elapsed_s"], total["bytes"], total["bytes_read"]) == (pytest.approx(2.0), 4 << 20, 0)
    assert parse_quantity("time").of(found) == pytest.approx(2.0)
    assert parse_quantity("restart/time").of(found) == pytest.approx(1.0), "where it is asked for"


def test_a_pattern_is_made_once_for_each_count(monkeypatch: pytest.MonkeyPatch) -> None:
    made, asked = [], []

    class Source:
        def __init__(self, word: str, core: object) -> None:
            self.word = word

        def for_ranks(self, ranks: int) -> str:
            made.append((self.word, ranks))
            return f"{self.word} on {ranks}"

    class Asking:
        def simulate(self, request: dict, kind: type) -> Simulation:
            asked.append((request["pattern"], request.get("stripes")))
            return simulation()

    monkeypatch.setattr("weir.simulate.simulate.PatternSource", Source)
    simulate = simulator(Asking())
    for ranks, settings in ((4, Settings()), (8, Settings()), (4, Settings(stripes=2))):
        simulate(toy(), Asked("dumps", ranks, settings))
    simulate(toy(), Asked("others", 4))
    assert made == [("dumps", 4), ("dumps", 8), ("others", 4)]
    assert asked == [("dumps on 4", None), ("dumps on 8", None), ("dumps on 4", 2), ("others on 4", None)]


def test_messages_of_functions_were_not_just_written() -> None:
    class Core:
        """Keeps what it is asked for."""

        machine: dict[str, Any]

        def simulate(self, asked: dict[str, Any], kind: type) -> Simulation:
            self.machine = asked["machine"]
            return simulation()

        def schema(self) -> "Core":
            return self

        def benchmark(self, name: str) -> bool:
            return name == "cloud"

        def emit_pattern(self, name: str, options: list[str], ranks: int) -> bytes:
            return b"{}"

    given = '[network]\nfresh_within = { value = "8 B 1 us, 1 KiB 2 us", source = "measured: it" }'
    machine = parse_machine(TOY.read_text().replace("[network]", given), "toy.toml")
    core: Any = Core()
    simulator(core)(machine, Asked("Bcast --bytes 8B", 2))
    assert "fresh_within_points" not in core.machine["network"]
    simulator(core)(machine, Asked("cloud", 2))
    assert "fresh_within_points" in core.machine["network"]
