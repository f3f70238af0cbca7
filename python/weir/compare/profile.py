"""A machine's results as one small file that can be mailed: what was measured, with every sample, and the
machine; no path, no file of its own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from weir.analyse.metric import Metric
from weir.analyse.statistics import estimate_median
from weir.bounded_parsing import MIB, decode_json
from weir.compare.settings import IGNORED
from weir.core.vocabulary import NO_WORDS, Vocabulary
from weir.errors import WeirError
from weir.files.plain import read_plain
from weir.machine.describe import describe
from weir.report.gather import Contents
from weir.results.row import FITS_IN_CACHE, SIMULATED, Measured, Row, measured

SCHEMA = 1
MOST_BYTES = 64 * MIB
LARGEST = 1e100
"""Of a sample."""


class ProfileMetric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a row's numbers are of."""

    key: str
    unit: str
    noun: str
    better: Literal["higher", "lower"]
    decimal: bool = False


class ProfileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A measurement, with its samples in the order of time, in the unit of its metric. `place`: where a
    printed number stands, such as "table 2"; of its options it has those that are printed too, and its
    `ranks` are 0 where they are not."""

    benchmark: str
    phase: str
    ranks: Annotated[int, msgspec.Meta(ge=0)]
    metric: ProfileMetric
    samples: tuple[float, ...]
    label: str = ""
    options: dict[str, Any] = {}
    env: dict[str, str] = {}
    mpi_io: str | None = None
    node: str | None = None
    nodes: int | None = None
    placement: dict[str, Any] = {}
    comparisons: tuple[str, ...] = ()
    moves: str | None = None
    sync: str | None = None
    cache_methods: tuple[str, ...] = ()
    suspect: bool | None = None
    in_caches: bool = False
    data_bytes: int | None = None
    application: bool = False
    simulated: bool = False
    """Whether a model of a machine gave its number."""
    place: str = ""


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`machine`: its card, which may be empty; `source`: of numbers that others printed."""

    kind: Literal["weir-profile"] = "weir-profile"
    schema: int = SCHEMA
    name: str
    study: str
    created_at: str
    weir_version: str
    machine: dict[str, Any] = {}
    source: str = ""
    vocabularies: dict[str, Vocabulary] = {}
    """Words for the options of each benchmark."""
    figures: dict[str, tuple[str, ...]] = {}
    """Names of comparisons by the figures that they ask for."""
    rows: tuple[ProfileRow, ...]


def profile_of(contents: Contents, name: str, computed: Sequence[Row] = ()) -> Profile:
    """That of a run; `computed`: rows of numbers that its samples give together. Pure."""
    info = contents.info
    rows = [row for row in (*measured(contents.rows), *computed) if row.samples]
    return Profile(
        name=name,
        study=info.study.title or info.study.name,
        created_at=info.created_at,
        weir_version=info.weir_version,
        machine=_without_paths(contents.machine),
        source=contents.source if info.read_from else "",
        vocabularies={row.benchmark: row.vocabulary for row in rows},
        figures={name: tuple(asking) for name, asking in contents.comparisons_by_figure.items()},
        rows=tuple(map(as_profile_row, rows)),
    )


def _without_paths(card: dict[str, Any]) -> dict[str, Any]:
    """The card without what lies where on it, and what stands in its environment."""
    return {key: value for key, value in card.items() if key not in ("environment", "directory", "warnings")}


def as_profile_row(row: Row) -> ProfileRow:
    """What a profile keeps of a row with samples."""
    metric = row.metric
    better: Literal["higher", "lower"] = "higher" if metric.greater_is_better else "lower"
    return ProfileRow(
        benchmark=row.benchmark,
        phase=row.phase,
        ranks=row.ranks,
        metric=ProfileMetric(metric.key, metric.unit, metric.noun, better, metric.decimal),
        samples=row.samples,
        label=row.label,
        options={key: value for key, value in row.options.items() if key not in IGNORED},
        env=dict(row.env),
        mpi_io=row.mpi_io,
        node=row.node,
        nodes=row.nodes,
        placement=dict(row.placement),
        comparisons=row.comparisons,
        moves=row.moves,
        sync=row.sync,
        cache_methods=row.cache_methods,
        suspect=row.suspect,
        in_caches=row.in_caches,
        data_bytes=row.data_bytes,
        application=row.application,
        simulated=row.simulated,
    )


def rows_of(profile: Profile) -> list[Row]:
    """The rows that a comparison sees."""
    words = profile.vocabularies
    return [
        replace(_as_row(number, row), vocabulary=words.get(row.benchmark, NO_WORDS))
        for number, row in enumerate(profile.rows)
    ]


def _as_row(number: int, row: ProfileRow) -> Row:
    found = estimate_median(row.samples)
    assert found is not None
    known = row.metric
    marks = (SIMULATED,) if row.simulated else ()
    metric = Metric(known.key, known.unit, known.noun, known.better == "higher", known.decimal)
    return Row(
        case=f"row {number + 1}",
        phase=row.phase,
        ranks=row.ranks,
        options=row.options,
        n=found.count,
        median=found.median,
        low=found.low,
        high=found.high,
        verdict="",
        label=row.label,
        comparisons=row.comparisons,
        data_bytes=row.data_bytes,
        sync=row.sync,
        cache_methods=row.cache_methods,
        suspect=row.suspect,
        warnings=marks,
        own_warnings=((FITS_IN_CACHE,) if row.in_caches else ()) + marks,
        samples=row.samples,
        metric=metric,
        metrics=(Measured(metric, found),),
        moves=row.moves,
        benchmark=row.benchmark,
        env=row.env,
        mpi_io=row.mpi_io,
        node=row.node,
        nodes=row.nodes,
        placement=row.placement,
        application=row.application,
        place=row.place,
    )


def encode(profile: Profile) -> bytes:
    """The file's content: JSON, a line a row."""
    head = msgspec.to_builtins(profile) | {"rows": []}
    lines = b",\n".join(msgspec.json.encode(row) for row in profile.rows)
    return msgspec.json.encode(head).replace(b'"rows":[]}', b'"rows":[\n' + lines + b"\n]}\n")


def read_profile(path: Path) -> Profile:
    """The profile in a file. Raises WeirError for what is none, or of another schema."""
    try:
        raw = decode_json(read_plain(path, MOST_BYTES))
        if not isinstance(raw, dict) or raw.get("kind") != "weir-profile":
            raise _no_profile(path, "it does not say that it is one")
        if raw.get("schema") != SCHEMA:
            why = f"its schema is {raw.get('schema')!r}, and this Weir reads {SCHEMA}"
            raise _no_profile(path, why)
        profile = msgspec.convert(raw, Profile)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise _no_profile(path, str(error)) from error
    except OSError as error:
        raise WeirError(
            f"cannot read '{path}'", error.strerror or str(error), "name a profile or a run"
        ) from error
    if any(not row.samples for row in profile.rows):
        raise _no_profile(path, "a row has no sample")
    if any(not _in_range(value) for row in profile.rows for value in row.samples):
        raise _no_profile(path, f"a sample is beyond {LARGEST:g}, or not 0 and within {1 / LARGEST:g} of it")
    try:
        describe(profile.machine)
    except (AttributeError, TypeError, ValueError, KeyError) as error:
        raise _no_profile(path, f"its card of the machine has another shape: {error}") from error
    return profile


def _in_range(value: float) -> bool:
    return value == 0 or 1 / LARGEST < abs(value) < LARGEST


def _no_profile(path: Path, why: str) -> WeirError:
    return WeirError(f"'{path}' is no profile", why, "make one with `weir profile RUN`")
