from samples import sample
from weir.replay.outcomes import outcomes
from weir.store.records import AnyRecord, HandOff, StateRecord


def test_a_phase_has_samples_of_one_state_of_the_machine() -> None:
    records: list[AnyRecord] = []
    for time_ns in [42.0] * 5 + [250.0] * 3:
        records.append(StateRecord(handoff_ns=HandOff(max=time_ns)))
        records.append(sample(elapsed_s=1.0 if time_ns < 100 else 5.0))
    (phase,) = outcomes(records, None)
    assert (phase.time.count, phase.time.median) == (4, 1.0)
