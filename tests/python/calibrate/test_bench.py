"""What was written is synced before it is read, outside the timing of either."""

from weir.calibrate.bench import settled
from weir.pattern import Close, File, Open, Pattern, Step, phase_of


def test_the_sync_is_a_phase_of_its_own() -> None:
    write = phase_of("write", [Step(open=Open(file=0, mode="create")), Step(close=Close(file=0))])
    read = phase_of("read", [Step(open=Open(file=0, mode="read")), Step(close=Close(file=0))])
    files = [File(name="data", per_rank=False)]
    pattern = Pattern(weir_pattern=1, name="two", ranks=2, files=files, phases=[write, read])
    first, sync, last = settled(pattern).phases
    assert (first, last) == (write, read)
    assert sync.name == "settle"
    opened, synced, closed = sync.steps
    assert opened.open
    assert opened.open.mode == "update"
    assert synced.sync
    assert closed.close
