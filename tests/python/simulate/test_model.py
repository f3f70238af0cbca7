"""Reading, refusing, changing and writing machine models."""

from pathlib import Path

import pytest

from toy_machine import TOY, toy
from weir.errors import WeirError
from weir.simulate.find import find_machine, load_machine, own_machines
from weir.simulate.model import Machine, assumed_storage, parse_machine, path_of
from weir.simulate.schema import KEYS
from weir.simulate.write import machine_text

WRITE = ("storage", "targets", "write")
LOCK = '[storage.locks]\nunit = {{ value = "{}", source = "paper: 2" }}\n[storage.metadata]'


def changed(old: str, new: str) -> Machine:
    text = TOY.read_text()
    assert old in text
    return parse_machine(text.replace(old, new, 1), "toy.toml")


def test_values_are_in_base_units() -> None:
    core = toy().as_core()
    assert core["nodes"]["memory_bytes"] == 8 << 30
    assert core["nodes"]["copy_bytes_per_s"] == 2e9
    assert core["network"]["latency_s"] == 2e-6
    assert core["network"]["link_bytes_per_s"] == 1e9, "8 Gb/s are bits"
    assert core["storage"]["targets"]["write_bytes_per_s"] == 1e8
    assert core["storage"]["locks"]["unit"] == "none"


def test_defaults_are_filled_in() -> None:
    core = toy().as_core()
    assert core["nodes"]["copy_together_bytes_per_s"] == 8e9
    assert core["network"]["bandwidth_within_bytes_per_s"] == 2e9
    assert core["storage"]["most_stripes"] == 8
    assert core["storage"]["metadata"]["rename_s"] == core["storage"]["metadata"]["open_s"]
    assert "bisection_bytes_per_s" not in core["network"]
    assert "flops_flop_per_s" not in core["nodes"]


def test_sources_are_kept() -> None:
    given = toy().given(("nodes", "copy"))
    assert given
    assert (given.source, given.low, given.n) == ("measured: by hand", "1.9 GB/s", 12)
    assert toy().given(("network", "topology")) is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"100 MB/s"', '"-100 MB/s"', "toy.toml:29: '-100 MB/s' is not a bandwidth (it must be more than 0)"),
        ('"100 MB/s"', '"100 MB"', "toy.toml:29: '100 MB' is not a bandwidth (the unit 'MB' does not fit"),
        ('"100 MB/s"', "100", "toy.toml:29: '100' is not a bandwidth (its unit is missing)"),
        ('"8 Gb/s"', '"0 Gb/s"', "toy.toml:13: '0 Gb/s' is not a bandwidth"),
        ('"2 us"', '"1e400 s"', "toy.toml:11: '1e400 s' is not a time (it is too large)"),
        ('"2 us"', '"2 MB/s"', 'toy.toml:11: \'2 MB/s\' is not a time (the unit'),
        ("value = 16", "value = 0", "toy.toml:5: '0' is not a count"),
        ('"1 MiB"', '"1.3 B"', "toy.toml:17: '1.3 B' is not a size (it is not a whole number of bytes)"),
        ("stripes = { value = 4", "stripes = { value = 9", "toy.toml:18: storage.stripes is 9, and"),
        (', source = "sheet: of the switch"', "", "toy.toml:11: 'source' is missing"),
        ("sheet: of the switch", "somewhere", "toy.toml:11: 'somewhere' says not where"),
        ("sheet: of the switch", "paper:", "toy.toml:11: 'paper:' says not where"),
        ("write = {", "wrte = {", "toy.toml:29: unknown key 'wrte'. Did you mean 'write'?"),
        ("write = {", "# write = {", "toy.toml:26: 'write' is missing. Add write = { value ="),
        ("[storage.metadata]", "[storage.metdata]", "toy.toml:32: unknown key 'metdata'"),
        ('high = "2.1', 'high = "1.95', "toy.toml:8: nodes.copy is not between low and high"),
        ("n = 12", "n = 0", "toy.toml:8: n is 0"),
        ('value = "2 us", ', "", "toy.toml:11: 'latency' has no value. Write for example"),
        ("[network]", "network", "toy.toml:10: not TOML"),
        ("[storage.metadata]", LOCK.format("strip"), "toy.toml:33: 'strip' is not known here"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    with pytest.raises(WeirError) as refused:
        changed(old, new)
    assert str(refused.value).startswith(said)


def test_a_file_that_is_no_text_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(WeirError, match=r"it is no UTF-8 \(byte 8\)"):
        load_machine(path)


def test_a_lock_may_be_of_so_many_bytes() -> None:
    assert changed("[storage.metadata]", LOCK.format("64 KiB")).as_core()["storage"]["locks"]["unit"] == 65536


def test_a_changed_machine_is_checked() -> None:
    assert toy().changed({WRITE: 2e8}).number(*WRITE) == 2e8
    with pytest.raises(WeirError, match=r"storage.stripes is 4, and storage.targets.count is 2"):
        toy().changed({("storage", "targets", "count"): 2})


def test_what_is_written_is_the_same_machine() -> None:
    fitted = toy().changed({WRITE: 123456789.0, ("storage", "seek"): 3.25e-5}, "fitted: to nothing")
    again = parse_machine(machine_text(fitted), "again.toml")
    assert again.given(WRITE) == fitted.given(WRITE)
    assert again.values == fitted.values
    assert again.number(*WRITE) == pytest.approx(123456789.0, rel=1e-5)


def test_the_title_of_a_fitted_machine_says_so() -> None:
    once = parse_machine(machine_text(toy(), fitted=True), "once.toml")
    assert once.file.title == "A small cluster for tests, fitted"
    assert parse_machine(machine_text(once, fitted=True), "twice.toml").file.title == once.file.title


def test_keys_have_short_names_where_they_are_plain() -> None:
    assert path_of("targets.write") == path_of("storage.targets.write") == WRITE
    with pytest.raises(WeirError, match="'count' means several keys"):
        path_of("count")
    with pytest.raises(WeirError, match="Did you mean 'stripes'"):
        path_of("strips")


@pytest.mark.parametrize("key", KEYS.values())
def test_examples_and_defaults_fit_their_kind(key) -> None:
    assert key.kind.parse(key.example or key.kind.example)
    assert key.kind.parse(key.kind.spell(key.kind.parse(key.kind.example))) == key.kind.parse(
        key.kind.example
    )


@pytest.mark.parametrize("name", own_machines())
def test_weirs_own_machines_are_right(name: str) -> None:
    machine = find_machine(name)
    assert machine.name == name
    assert machine.values


def test_a_storage_that_no_source_tells_of_is_assumed() -> None:
    own = own_machines()
    assert assumed_storage(load_machine(own["cray-x1"]))
    assert not assumed_storage(load_machine(own["sp-piofs"]))


def test_an_unknown_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="there is no machine 'nowhere'"):
        find_machine("nowhere")
    with pytest.raises(WeirError, match="cannot read the machine"):
        find_machine(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("bandwidth", 2e9, "network.bandwidth is 2 GB/s, and network.link is 1 GB/s"),
        ("most_stripes", 9, "storage.most_stripes is 9, and storage.targets.count is 8"),
        ("servers.count", 9, "storage.servers.count is 9, and storage.targets.count is 8"),
        ("storage.cache", 9 << 30, "storage.cache is 9 GiB, and nodes.memory is 8 GiB"),
        ("storage.read_cache", 9 << 30, "storage.read_cache is 9 GiB, and nodes.memory is 8 GiB"),
    ],
)
def test_a_part_is_not_more_than_the_whole(key: str, value: float, said: str) -> None:
    with pytest.raises(WeirError, match=said):
        toy().changed({path_of(key): value})


def test_removes_and_renames_cost_as_a_create() -> None:
    metadata = toy().changed({path_of("create"): 0.25}).as_core()["storage"]["metadata"]
    assert (metadata["remove_s"], metadata["rename_s"], metadata["open_s"]) == (0.25, 0.25, 0.001)


def test_a_wrong_name_and_values_that_do_not_rise_are_told_in_words() -> None:
    with pytest.raises(WeirError) as refused:
        changed('name = "toy"', 'name = "my toy"')
    assert refused.value.why == "it is letters, digits, _, . and -, and begins with a letter or a digit"
    with pytest.raises(WeirError) as refused:
        changed('low = "1.9 GB/s"', 'low = "2.05 GB/s"')
    assert refused.value.why == "low 2.05 GB/s, value 2 GB/s, high 2.1 GB/s"


def test_the_name_of_a_machine_brings_its_models() -> None:
    with pytest.raises(WeirError, match=r"Did you mean sp-piofs \(IBM SP at Argonne, PIOFS, 1996\)\?"):
        find_machine("ibm-sp")
