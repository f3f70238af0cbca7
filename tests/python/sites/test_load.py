"""What a site's files set, one over the other, and what is refused of them."""

import os
from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.site.load import Site, load_site, site, site_of
from weir.site.places import places

UPPER, LOWER = Path("/home/me/site.toml"), Path("/etc/site.toml")
ALL = """
launcher = "srun"

[job]
system = "slurm"
account = "phys01"
partition = "standard"
longest = "12h"
modules = ["gcc/12", "openmpi/4.1"]
setup = ["ulimit -s unlimited"]
options = ["--constraint=haswell"]

[directories]
runs = "${HOME}/weir"
scratch = "/scratch/$USER"

[thresholds]
matters = "3%"
assume = "2%"
fail_on = "worse"
"""


def of(*texts: str, **environment: str) -> Site:
    return site_of(dict(zip((UPPER, LOWER), texts, strict=False)), environment)


def refusal(text: str, **environment: str) -> WeirError:
    with pytest.raises(WeirError) as caught:
        of(text, **environment)
    return caught.value


def test_every_key_is_read() -> None:
    found = of(ALL, HOME="/home/me", USER="me")
    assert found.launcher == "srun"
    assert (found.job.system, found.job.account, found.job.partition) == ("slurm", "phys01", "standard")
    assert found.job.longest_s == 12 * 3600
    assert found.job.modules == ("gcc/12", "openmpi/4.1")
    assert (found.job.setup, found.job.options) == (("ulimit -s unlimited",), ("--constraint=haswell",))
    assert (found.directories.runs, found.directories.scratch) == (Path("/home/me/weir"), Path("/scratch/me"))
    assert vars(found.thresholds) == {"matters": "3%", "assume": "2%", "fail_on": "worse"}


def test_nothing_is_set_where_there_is_no_file() -> None:
    assert of() == Site()


def test_an_earlier_file_overrides_key_by_key_and_each_setting_has_its_place() -> None:
    upper = 'launcher = "mpirun"\n[job]\naccount = ""\nmodules = ["intel"]\n'
    found = of(upper, '[job]\naccount = "phys01"\npartition = "long"\nmodules = ["gcc", "openmpi"]\n')
    assert (found.launcher, found.job.partition) == ("mpirun", "long")
    assert (found.job.account, found.job.modules) == (None, ("intel",))
    assert {one.key: (one.value, one.place) for one in found.settings} == {
        "launcher": ("mpirun", f"{UPPER}:1"),
        "job.account": ("", f"{UPPER}:3"),
        "job.modules": (["intel"], f"{UPPER}:4"),
        "job.partition": ("long", f"{LOWER}:3"),
    }


def test_a_variable_of_a_path_that_does_not_hold_is_not_asked_for() -> None:
    found = of('[directories]\nscratch = "/fast"\n', '[directories]\nscratch = "$NOT_SET/x"\n')
    assert found.directories.scratch == Path("/fast")


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('laucher = "srun"', 1, "did you mean 'launcher'?"),
        ('[job]\n\nacount = "x"', 3, "did you mean 'account'?"),
        ('[job]\nlongest = "12"', 2, 'write for example "30s"'),
        ('[job]\nlongest = "0s"', 2, 'longest = "12h"'),
        ('[job]\nsystem = "slrm"', 2, 'system = "slurm"'),
        ('[job]\nmodules = "gcc"', 2, 'modules = ["openmpi/4.1"]'),
        ('[job]\nsetup = ["a",\n"b\\nc"]', 3, "write each line as a text"),
        ("[thresholds]\nmatters = 3", 2, 'matters = "10%"'),
        ('[thresholds]\nassume = "3"', 2, '"5%"'),
        ('[thresholds]\nfail_on = "better"', 2, 'fail_on = "worse"'),
        ('[directories]\nruns = "here"', 2, 'runs = "$HOME/weir"'),
        ('[directories]\nruns = "$NOT_SET/here"', 2, "set it, or"),
        ("launcher = [", 1, 'launcher = "srun"'),
        ("job = 3", 1, "[job]"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line_and_what_to_write(text: str, place: int, said: str) -> None:
    error = refusal(text)
    assert error.problem.startswith(f"{UPPER}:{place}: ")
    assert said.lower() in error.suggestion.lower()


def test_files_are_looked_for_in_four_places_the_nearest_first() -> None:
    package = Path("/opt/weir/lib/python3.11/site-packages/weir")
    rest = (Path("/opt/weir/etc/weir/site.toml"), Path("/etc/weir/site.toml"))
    environment = {"WEIR_SITE": "/apps/site.toml", "HOME": "/home/me"}
    own = Path("/home/me/.config/weir/site.toml")
    assert places(environment, package) == (Path("/apps/site.toml"), own, *rest)
    assert places({"HOME": "/home/me", "XDG_CONFIG_HOME": "/conf"}, package)[0] == Path(
        "/conf/weir/site.toml"
    )
    assert places({"HOME": "/home/me", "XDG_CONFIG_HOME": "conf"}, package)[0] == own
    assert places({}, package) == rest


def test_a_relative_name_is_refused() -> None:
    with pytest.raises(WeirError, match="no absolute path"):
        places({"WEIR_SITE": "site.toml"})


def test_a_file_in_the_current_directory_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site.toml").write_text("this is not TOML")
    (tmp_path / "weir").mkdir()
    (tmp_path / "weir" / "site.toml").write_text("nor is this")
    monkeypatch.chdir(tmp_path)
    assert not [path for path in site().files if path.is_relative_to(tmp_path)]


def written(path: Path, text: str, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_the_file_that_is_named_goes_before_ones_own(tmp_path: Path) -> None:
    named = written(tmp_path / "named.toml", 'launcher = "alone"')
    own = written(tmp_path / "conf" / "weir" / "site.toml", 'launcher = "srun"\n[job]\naccount = "me"')
    found = load_site({"WEIR_SITE": str(named), "XDG_CONFIG_HOME": str(tmp_path / "conf")})
    assert (found.launcher, found.job.account) == ("alone", "me")
    assert found.files[:2] == (named, own)


def test_a_named_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="no such file"):
        load_site({"WEIR_SITE": str(tmp_path / "none.toml")})


@pytest.mark.parametrize(("mode", "who"), [(0o664, "its group"), (0o646, "everybody")])
def test_a_file_that_others_can_write_is_refused(tmp_path: Path, mode: int, who: str) -> None:
    path = written(tmp_path / "site.toml", 'launcher = "srun"', mode)
    with pytest.raises(WeirError) as caught:
        load_site({"WEIR_SITE": str(path)})
    assert who in caught.value.why and f"chmod go-w '{path}'" in caught.value.suggestion


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "site.toml", 'launcher = "srun"')
    os.chown(path, 65534, 65534)
    with pytest.raises(WeirError, match="it belongs to user"):
        load_site({"WEIR_SITE": str(path)})


def test_what_is_no_file_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="it is a folder"):
        load_site({"WEIR_SITE": str(tmp_path)})
    (tmp_path / "bytes.toml").write_bytes(b'launcher = "\xff"')
    (tmp_path / "bytes.toml").chmod(0o600)
    with pytest.raises(WeirError, match="no UTF-8"):
        load_site({"WEIR_SITE": str(tmp_path / "bytes.toml")})
