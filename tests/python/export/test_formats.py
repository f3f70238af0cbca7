"""Formats are read back by other people's parsers; each registered one is tested."""

import csv
import io
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from prometheus_client import parser as prometheus
from prometheus_client.openmetrics import parser as openmetrics

from export.runs import case, exported, sample, write_small_run
from sample_lines import metrics
from synthetic_run import World, write_run
from weir.errors import WeirError
from weir.export.format import find_format, format_names, table_names
from weir.extras import how_to_install
from weir.store.run_directory import RunDirectory


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return write_small_run(tmp_path / "RUN")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    world = World(failing=frozenset({"ranks"}), noisy=frozenset({"size"}))
    return RunDirectory(write_run(tmp_path_factory.mktemp("runs") / "large", world))


def gauges(run: RunDirectory) -> dict[str, Any]:
    """The families of an export, by name."""
    text = exported(run, "openmetrics")[0].decode()
    return {family.name: family for family in openmetrics.text_string_to_metric_families(text)}


def test_csv_is_read_back(run: RunDirectory) -> None:
    content, written = exported(run, "csv")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert len(rows) == written.rows == 7
    assert float(rows[1]["bandwidth_bytes_per_s"]) == 101.0
    assert rows[0]["label"] == "case, a" and rows[0]["directory"] == '/scratch/a "b"\\c'
    assert rows[0]["option_direct"] == "false" and rows[0]["cache_suspect"] == ""


@pytest.mark.parametrize("table", table_names())
def test_parquet_holds_what_csv_holds(run: RunDirectory, table: str) -> None:
    content, written = exported(run, "parquet", table)
    found = pyarrow.parquet.read_table(io.BytesIO(content))
    plain = list(csv.DictReader(io.StringIO(exported(run, "csv", table)[0].decode())))
    assert found.num_rows == written.rows == len(plain) > 0
    for typed, text in zip(found.to_pylist(), plain, strict=True):
        assert {key: _as_csv(value) for key, value in typed.items()} == text
    assert found.schema.metadata[b"weir_run"] == b"RUN"


def _as_csv(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_parquet_columns_have_their_types(run: RunDirectory) -> None:
    schema = pyarrow.parquet.read_schema(io.BytesIO(exported(run, "parquet")[0]))
    wanted = {"bytes": "int64", "elapsed_s": "double", "cache_suspect": "bool", "phase": "string"}
    assert {name: str(schema.field(name).type) for name in wanted} == wanted


def test_without_pyarrow_parquet_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(WeirError, match=re.escape(how_to_install("parquet"))) as caught:
        find_format("parquet").prepare(None)
    assert caught.value.exit_code == 2


def test_openmetrics_is_what_its_parser_takes(run: RunDirectory) -> None:
    assert exported(run, "openmetrics")[0].endswith(b"\n# EOF\n")
    families = gauges(run)
    assert all(family.type == "gauge" and family.documentation for family in families.values())
    median = families["weir_median_bandwidth_bytes_per_second"]
    assert median.unit == "bytes_per_second"
    write = median.samples[0]
    assert write.value == 102.5
    assert write.labels["phase"] == "write" and write.labels["case"] == "a"
    assert write.labels["directory"] == '/scratch/a "b"\\c' and write.labels["host"] == "n1"
    assert write.labels["option_block_bytes"] == "4096" and "option_direct" not in write.labels
    (low,) = families["weir_interval_low_bandwidth_bytes_per_second"].samples
    assert low.value == 100.0
    assert [sample.value for sample in families["weir_samples"].samples] == [6, 1]
    failures = {sample.labels["case"]: sample.value for sample in families["weir_failures"].samples}
    assert failures == {"a": 0, "b": 1}


def test_openmetrics_is_what_the_textfile_collector_takes(large: RunDirectory) -> None:
    text = exported(large, "openmetrics")[0].decode()
    families = list(prometheus.text_string_to_metric_families(text))
    assert {family.type for family in families} == {"gauge"}
    assert all(sample.timestamp is None for family in families for sample in family.samples)
    seen = [(sample.name, *sorted(sample.labels.items())) for f in families for sample in f.samples]
    assert len(set(seen)) == len(seen)
    assert list(openmetrics.text_string_to_metric_families(text))


@pytest.mark.parametrize(
    ("numbers", "name", "unit"),
    [
        (metrics(operations_per_s=7.0), "weir_median_operations_per_second", "operations_per_second"),
        (metrics(elapsed_s=7.0), "weir_median_elapsed_seconds", "seconds"),
    ],
)
def test_metrics_without_bandwidth_have_names_too(
    tmp_path: Path, numbers: list[dict[str, Any]], name: str, unit: str
) -> None:
    run = write_small_run(tmp_path / "RUN", [case("a"), sample("a", "create", None, metrics=numbers)])
    families = gauges(run)
    assert (families[name].unit, families[name].samples[0].value) == (unit, 7.0)


def test_every_metric_of_a_sample_has_gauges(tmp_path: Path) -> None:
    found = metrics(elapsed_s=2.0, cell_updates_per_s=9.0)
    found.append({"key": "ping-us", "value": 3.0, "unit": "us", "noun": "latency", "better": "lower"})
    run = write_small_run(tmp_path / "RUN", [case("a"), sample("a", "run", None, metrics=found)])
    families = gauges(run)
    names = ("elapsed_seconds", "cell_updates_per_second", "ping_us")
    assert [families[f"weir_median_{name}"].samples[0].value for name in names] == [2.0, 9.0, 3.0]
    assert families["weir_median_ping_us"].documentation == "Median of the latency over the samples."
    assert len(families["weir_samples"].samples) == 1


def test_openmetrics_has_no_tables() -> None:
    with pytest.raises(WeirError, match="Leave --table out"):
        find_format("openmetrics").prepare("cases")


@pytest.mark.parametrize("form", format_names())
def test_a_run_without_samples_gives_a_whole_file_and_a_reason(tmp_path: Path, form: str) -> None:
    content, written = exported(write_small_run(tmp_path / "RUN", []), form)
    assert content and written.rows == 0
    assert written.empty_because == "no sample was taken"


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(WeirError, match="Use one of: csv, openmetrics, parquet"):
        find_format("xml")
