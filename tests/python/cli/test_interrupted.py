"""What a person is told who stops a verb that keeps nothing."""

import pytest

from weir.cli._interrupted import nothing_kept
from weir.errors import ExitCode, Interrupted, WeirError


@pytest.mark.parametrize("stopped", [KeyboardInterrupt(), Interrupted(15)])
def test_nothing_is_said_to_be_kept(stopped: BaseException) -> None:
    with pytest.raises(WeirError, match=r"interrupted \(nothing was kept\)") as told, nothing_kept():
        raise stopped
    assert told.value.exit_code == ExitCode.INTERRUPTED
