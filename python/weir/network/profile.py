"""The model as data, and as the part `network` of a machine profile: docs/reference/machine-profile.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded_parsing import MIB, decode_json
from weir.errors import WeirError
from weir.files.named import read_named
from weir.files.write import write
from weir.network.loggp import Estimate, Model

VERSION = 1


def as_data(distance: str, model: Model) -> dict[str, Any]:
    """One distance. Times in s, sizes in bytes, unknown is null."""
    return {
        "distance": distance,
        "launches": model.launches,
        "ranges": [
            {
                "from_bytes": one.low,
                "to_bytes": one.high,
                "sizes": one.count,
                **_named("start_s", one.start),
                **_bandwidth(one.G),
                "overheads_at_bytes": one.at,
                **_named("L_s", one.L),
                **_named("send_s", one.o_s),
                **_named("receive_s", one.o_r),
                **_named("gap_s", one.g),
            }
            for one in model.ranges
        ],
        "switches": [
            {"from_bytes": one.low, "to_bytes": one.high, **_named("ratio", one.ratio)}
            for one in model.switches
        ],
        "send_waits": model.waits and dict(zip(("from_bytes", "to_bytes"), model.waits, strict=True)),
        "both_ways": [
            {
                "from_bytes": one.low,
                "to_bytes": one.high,
                "start_s": one.start_s,
                "bytes_per_s": _inverse(one.byte_s),
            }
            for one in (model.both_ways.lines if model.both_ways else ())
        ],
        "copies": [{"bytes": size, "time_s": time_s} for size, time_s in model.copies],
        "noise": model.one_way.noise,
        "largest_error": model.worst,
        "predictions": [
            {
                "function": one.call.function,
                "bytes": one.call.bytes,
                "samples": one.count,
                "measured_s": one.measured_s,
                "measured_s_interval": None if one.low_s is None else [one.low_s, one.high_s],
                "predicted_s": one.predicted_s,
                "error": one.error,
            }
            for one in model.predictions
        ],
    }


def write_into(path: Path, paths: Sequence[dict[str, Any]], source: str) -> None:
    """Replace `network` in that profile, or make a profile of it; other keys stay. Raises WeirError for a
    file that is no profile."""
    profile = _read(path) if path.exists() else {"weir_profile": VERSION}
    content = profile | {"network": {"source": source, "paths": list(paths)}}
    write(path, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n", named=True)


def _read(path: Path) -> dict[str, Any]:
    advice = "name a profile, or a file that does not exist yet"
    data = read_named(path, MIB, "the machine profile", advice)
    try:
        found = decode_json(data)
    except msgspec.DecodeError as error:
        raise WeirError(f"'{path}' is no machine profile", f"it is no JSON: {error}", advice) from error
    if not isinstance(found, dict) or found.get("weir_profile") != VERSION:
        raise WeirError(f"'{path}' is no machine profile", "it has no weir_profile = 1", advice)
    return found


def _named(key: str, one: Estimate) -> dict[str, Any]:
    return {key: one.value, f"{key}_interval": None if one.low is None else [one.low, one.high]}


def _bandwidth(byte_s: Estimate) -> dict[str, Any]:
    """G as its inverse, whose ends change places."""
    ends = (byte_s.high, byte_s.low)
    interval = [_inverse(end) for end in ends if end is not None]
    return {"bytes_per_s": _inverse(byte_s.value), "bytes_per_s_interval": interval or None}


def _inverse(value: float | None) -> float | None:
    return 1 / value if value else None
