"""Forecasts of which it is known how far off they were: programs that nobody here wrote, each run in turns
with its forecast. The table beside this file is what `scripts/bench foreign -- --table FILE` measured."""

from functools import cache
from pathlib import Path

import msgspec

from weir.predict.expected_error import Observed

TABLE = Path(__file__).with_name("known_forecasts.json")


class Measured(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program and its forecast, in seconds in I/O calls, the mean over the ranks: pairs in turns."""

    program: str
    backend: str
    kind: str
    """What its imitation loses most."""
    ranks: int
    measured_s: tuple[float, ...]
    forecast_s: tuple[float, ...]

    @property
    def errors(self) -> tuple[float, ...]:
        """Forecast over measured time, minus 1, of each pair."""
        return tuple(
            said / took - 1 for said, took in zip(self.forecast_s, self.measured_s, strict=True) if took > 0
        )


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of them, and where they were measured."""

    made_by: str
    weir: str
    measured_on: str
    machine: str
    programs: tuple[Measured, ...]

    def observed(self) -> tuple[Observed, ...]:
        """What is learnt from."""
        return tuple(Observed(one.program, one.kind, one.errors) for one in self.programs)


@cache
def known_forecasts() -> Table:
    """The table of this version of Weir."""
    return msgspec.json.decode(TABLE.read_bytes(), type=Table)


def spell_table(table: Table) -> bytes:
    """As the file has it: a line a program."""
    encode = msgspec.json.Encoder().encode
    head = encode(msgspec.structs.replace(table, programs=())).removesuffix(b"[]}")
    return head + b"[\n " + b",\n ".join(encode(one) for one in table.programs) + b"]}\n"
