"""Words of commands that are advised."""

import os
import subprocess

import pytest

from weir.printable import shell_word


@pytest.mark.parametrize(
    "name", ["a", "a b", "it's", "two\nlines", "tab\t'quoted' \\n", "\x1b[31mred", "\udcff\n"]
)
def test_a_shell_reads_the_name_back_from_one_line(name: str) -> None:
    word = shell_word(name)
    assert "\n" not in word and "\x1b" not in word
    said = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True).stdout
    assert os.fsdecode(said) == name
