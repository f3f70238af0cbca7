"""Kinds of dumps: each registers itself in its folder, and no verb knows one by its name."""

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from cloud.made_dump import sphere, write_state
from pictures import drawing
from verbs import weir_here as weir
from weir.dumps import kind as module
from weir.dumps.kind import Drawn, DumpKind, Shown, Table, Wishes, dump_kind, dump_kinds, kind_of
from weir.files.thing import Thing

MARK = b"WEATHER1"


class WeatherMap(DumpKind):
    """A fourth kind."""

    what = "a weather map"
    help = "its clouds"
    options = frozenset({"time", "as_stored"})
    extra = "cloud"

    def recognises(self, thing: Thing) -> bool:
        return thing.begin.startswith(MARK)

    def show(self, path: Path) -> Shown:
        size = path.stat().st_size
        parts = ([f"{path}: a weather map"], Table(("bytes",), [[str(size)]]))
        return Shown(parts, {"bytes": size}, is_wrong=size > 20)

    def draw(self, path: Path, wishes: Wishes) -> Drawn:
        spec = {"data": {"values": [{"x": 1}]}, "mark": "point", "encoding": {"x": {"field": "x"}}}
        return Drawn(spec, path.with_name("map.png"), {"time": wishes.time, "as_stored": wishes.as_stored})


@pytest.fixture
def weather(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "weather"
    path.write_bytes(MARK)
    dump_kind("weather")(WeatherMap)
    yield path
    del module._kinds._found["weather"]


@pytest.mark.parametrize("name", dump_kinds())
def test_every_kind_takes_options_that_there_are(name: str) -> None:
    kind = dump_kinds()[name]
    assert kind.options and kind.options <= {one.name for one in fields(Wishes)}
    assert len(kind.flags()) == len(kind.options)
    said = weir("picture", "--help").output
    assert [flag for flag in kind.flags() if flag not in said] == []


def test_a_fourth_kind_is_shown(weather: Path) -> None:
    done = weir("show", weather)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"{weather}: a weather map")
    assert json.loads(weir("show", weather, "--json").stdout)["bytes"] == 8
    weather.write_bytes(MARK + bytes(20))
    assert weir("show", weather).exit_code == 4


@drawing
def test_a_fourth_kind_is_drawn(weather: Path) -> None:
    told = json.loads(weir("picture", weather, "--time", 2, "--as-stored", "--json").stdout)
    assert (told["time"], told["as_stored"]) == (2, True)
    assert weather.with_name("map.png").read_bytes().startswith(b"\x89PNG")


def test_what_a_kind_has_no_use_for_is_refused(weather: Path) -> None:
    done = weir("picture", weather, "--axis", "x", "--time", "1", "--no-lines")
    assert done.exit_code == 2 and not weather.with_name("map.png").exists()
    assert (
        "is a weather map, which has no use for --axis and --no-lines (it takes --time, --as-stored). "
        "Leave --axis and --no-lines away\n"
    ) in done.stderr
    done = weir("show", weather, "--all")
    assert done.exit_code == 2 and "is a weather map, which has no use for --all" in done.stderr


def test_what_is_unknown_is_refused_with_what_is_known(weather: Path) -> None:
    weather.write_text("Sunny.\n")
    for verb in ("show", "picture"):
        done = weir(verb, weather)
        assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1
        for kind in dump_kinds().values():
            assert kind.what in done.stderr


def test_names_that_are_no_text_are_no_defect(tmp_path: Path) -> None:
    """h5py tells them as bytes."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "damaged", "w") as root:
        root["sim info"] = 1
        h5py.h5g.create(root.id, b"\xff\xfe")
        assert any(isinstance(name, bytes) for name in root)
    assert Thing(str(tmp_path / "damaged")).names == {"sim info"}
    for verb in ("show", "picture"):
        done = weir(verb, tmp_path / "damaged")
        assert done.exit_code == 2 and "cannot read" in done.stderr


@pytest.mark.parametrize("verb", ["show", "picture"])
def test_of_a_folder_with_dumps_one_is_named(weather: Path, verb: str) -> None:
    """Of most kinds a file is to be named."""
    (weather.parent / "notes").write_text("none")
    done = weir(verb, weather.parent)
    assert (
        done.exit_code == 2 and f"a folder with dumps. Name one of them, such as '{weather}'" in done.stderr
    )


@pytest.mark.parametrize(("verb", "told"), [("show", "is not a run"), ("picture", "(it is a folder)")])
def test_a_folder_without_dumps_has_none(tmp_path: Path, verb: str, told: str) -> None:
    (tmp_path / "notes").write_text("none")
    assert told in weir(verb, tmp_path).stderr


def test_a_run_is_a_run_whatever_lies_beside_its_head(tmp_path: Path) -> None:
    write_state(tmp_path / "restart", sphere(4, 4, 4))
    assert kind_of(Thing(str(tmp_path))) is not None
    (tmp_path / "run.json").write_text('{"schema": 1}')
    assert "run.json" in weir("show", tmp_path).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("report", "DUMP"),
            "'DUMP' is a dump of the gas cloud (`weir report` takes a run). `weir show DUMP`",
        ),
        (("cloud", "picture", "DUMP"), "`weir show FILE` and `weir picture FILE` take dumps of every kind"),
        (("flash", "--help"), "`weir show FILE` and `weir picture FILE` take dumps of every kind"),
        (("mimic", "p.json"), "`weir predict PATTERN --parameters` prints what it printed"),
    ],
)
def test_the_way_to_dumps_is_told(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_state(Path("DUMP"), sphere(4, 4, 4))
    done = weir(*words)
    assert done.exit_code == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1
