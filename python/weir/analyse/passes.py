"""Which samples are of a repetition that did not come to its end, as where a launch was killed between two of
its phases: the case is carried out again, and the phase that had ended would count once more than the others.
Pure.
"""

from dataclasses import dataclass, field

from weir.store.records import AnyRecord, BeginRecord, EndRecord, LaunchRecord, SampleRecord


@dataclass
class _Repetition:
    """Of a pass over a case: the places of its samples, and their phases."""

    case: str
    numbers: list[int] = field(default_factory=list)
    phases: set[str] = field(default_factory=set)


@dataclass
class Passes:
    """The samples of a run in their order, by pass and repetition."""

    _whole: dict[str, set[str]] = field(default_factory=dict)
    """By case the phases of a repetition that came to its end."""
    _open: dict[int, _Repetition] = field(default_factory=dict)
    """By number, in their order, the repetitions of the pass that has not ended."""
    _cut: list[_Repetition] = field(default_factory=list)
    """The last repetitions of passes that did not end."""
    _launch: int | None = None
    _begun: str | None = None
    _samples: int = 0

    def note(self, record: AnyRecord) -> None:
        """Take note of the next record of the run."""
        if isinstance(record, (LaunchRecord, BeginRecord, SampleRecord)) and record.launch != self._launch:
            self._cut += list(self._open.values())[-1:]
            self._end(list(self._open.values())[:-1])
            self._launch, self._begun = record.launch, None
        match record:
            case BeginRecord():
                self._end(list(self._open.values()))
                self._begun = record.case
            case EndRecord():
                self._end(list(self._open.values()))
                self._begun = None
            case SampleRecord():
                if record.case == self._begun:
                    one = self._open.setdefault(record.repetition, _Repetition(record.case))
                    one.numbers.append(self._samples)
                    one.phases.add(record.phase)
                self._samples += 1

    def unfinished(self) -> set[int]:
        """The places, counted from 0, of samples whose repetition lacks a phase that another one of the case
        has, and whose pass did not end."""
        *earlier, last = [*self._open.values()] or [_Repetition("")]
        known = {case: set(phases) for case, phases in self._whole.items()}
        for one in earlier:
            known.setdefault(one.case, set()).update(one.phases)
        cut = [one for one in [*self._cut, last] if one.phases < known.get(one.case, set())]
        return {number for one in cut for number in one.numbers}

    def _end(self, whole: list[_Repetition]) -> None:
        for one in whole:
            self._whole.setdefault(one.case, set()).update(one.phases)
        self._open = {}
