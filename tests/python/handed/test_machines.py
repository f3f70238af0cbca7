"""Models of machines and numbers to fit are known as what they are."""

from pathlib import Path

import pytest

from toy_machine import TOY
from weir.errors import WeirError
from weir.files.thing import Thing
from weir.handed.kind import kinds_of
from weir.handed.takes import Takes


def test_a_model_is_no_study() -> None:
    assert next(kinds_of(Thing(str(TOY)))).name == "machine"
    Takes(("machine",)).check("fit", [str(TOY)])
    with pytest.raises(WeirError, match=r"is a model of a machine .*`weir predict PATTERN --on "):
        Takes(("run",)).check("show", [str(TOY)])


def test_numbers_are_no_exported_table(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("# of a paper\npattern,ranks,quantity,value\n")
    assert next(kinds_of(Thing(str(data)))).name == "numbers"
    data.write_text("case,phase\n1,write\n")
    assert next(kinds_of(Thing(str(data)))).name == "table"
