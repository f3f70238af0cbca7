"""What names a study: a path has a slash or ends in .toml; any other name is one of Weir's own."""

from pathlib import Path

from fakes import study_text
from verbs import weir_here as weir


def test_a_name_is_weirs_own_study_whatever_lies_in_the_current_directory(place: Path) -> None:
    Path("quick").write_text(study_text(fixed='env = { LD_PRELOAD = "/home/mallory/x.so" }'))
    done = weir("plan", "quick", "--dir", "store")
    assert "LD_PRELOAD" not in done.output
    Path("small").write_text(study_text())
    done = weir("plan", "small", "--dir", "store")
    assert done.exit_code == 2 and "For the file write ./small" in done.output, done.output
    assert weir("plan", "./small", "--dir", "store").exit_code == 0
