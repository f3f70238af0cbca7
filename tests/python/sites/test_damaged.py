"""Whatever is in a site's file, it is taken or refused with a message."""

from pathlib import Path

from damage.copies import damaged_copies
from weir.errors import WeirError
from weir.site.load import load_site

from .test_load import ALL

LAUNCHER = """
[launchers.ours]
command = ["ourrun", ["-N", "{nodes}"], "-n", "{ranks}", "{program}"]
env = ["-x", "{name}={value}"]
bindings = { core = "cores", none = "no" }
"""


def test_damaged_files(tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "damaged"
    whole.mkdir()
    (whole / "site.toml").write_text(ALL + LAUNCHER)
    named = {"WEIR_SITE": str(folder / "site.toml"), "HOME": str(tmp_path), "USER": "me"}
    refused = 0
    for _case, _drawn in damaged_copies(whole, folder, "*", "site"):
        try:
            load_site(named)
        except WeirError as error:
            refused += 1
            assert error.problem and error.exit_code == 2
    assert refused
