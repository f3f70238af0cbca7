import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FAKE_CORE, study_text
from weir.core.client import Core
from weir.core.schema import Schema
from weir.errors import ExitCode, WeirError
from weir.measure.plan import make_plan
from weir.study.case import Case, case_id, left_out_words
from weir.study.expand import expand
from weir.study.load import Study, parse_study


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Schema:
    return Core(FAKE_CORE, tmp_path_factory.mktemp("cache")).schema()


def cases(schema: Schema, **changes: Any) -> list[Case]:
    return expand(parse_study(study_text(**changes), "s.toml"), schema).cases


def test_the_cross_product_of_the_axes_in_their_order(schema: Schema) -> None:
    found = cases(
        schema, axes='axes = { transfer = ["1KiB", "2KiB"], layout = ["shared", "file-per-process"] }'
    )
    assert [case.label for case in found] == [
        "transfer 1KiB, layout shared",
        "transfer 1KiB, layout file-per-process",
        "transfer 2KiB, layout shared",
        "transfer 2KiB, layout file-per-process",
    ]
    assert [case.options["transfer"] for case in found] == [1024, 1024, 2048, 2048]


def test_the_comparison_lies_over_what_is_fixed_for_all(schema: Schema) -> None:
    found = cases(schema, fixed='transfer = "1KiB"\nranks = 2', axes='fixed = { transfer = "8KiB" }')
    assert [(case.options["transfer"], case.ranks, case.label) for case in found] == [(8192, 2, "only")]


def test_defaults_are_resolved_and_the_directory_left_open(schema: Schema) -> None:
    case = cases(schema, axes="")[0]
    assert case.options["block"] == 1048576
    assert case.options["dir"] is None and case.uses_directory


def test_a_directory_that_the_study_states_belongs_to_the_case(schema: Schema) -> None:
    found = cases(schema, axes='axes = { dir = ["/a", "/b"] }')
    assert [case.options["dir"] for case in found] == ["/a", "/b"]
    assert found[0].id != found[1].id


def test_a_case_of_two_comparisons_is_one_case(schema: Schema) -> None:
    second = '[[comparison]]\nname = "second"\naxes = { transfer = ["64KiB", "1MiB"] }'
    found = cases(schema, axes='axes = { layout = ["shared", "file-per-process"] }', more=second)
    assert [case.comparisons for case in found] == [("only", "second"), ("only",), ("second",)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fixed": 'transfr = "1KiB"'}, "s.toml:10: unknown key 'transfr'.*Did you mean 'transfer'"),
        ({"fixed": "transfer = 1024"}, "s.toml:10: .* not a size .*bare number.*transfer = \"64KiB\""),
        ({"fixed": "time_limit = 30"}, 's.toml:10: .*not a time .*Write time_limit = "30s"'),
        ({"fixed": 'transfer = "4B"'}, 's.toml:10: .*is 4B .*at least 8B.*Write for example transfer = "8B"'),
        ({"fixed": 'transfer = "2GiB"'}, "s.toml:10: .*at most 1GiB"),
        ({"fixed": "segments = 0"}, "s.toml:10: .*at least 1.*segments = 1"),
        ({"fixed": "segments = true"}, "s.toml:10: .*not a whole number"),
        ({"fixed": "segments = 1e6"}, "s.toml:10: .*not a whole number"),
        ({"fixed": 'direct = "on"'}, "s.toml:10: .*not true or false"),
        ({"fixed": 'hint = "a=b"'}, "s.toml:10: .*not a list of texts"),
        ({"fixed": "ranks = 0"}, "s.toml:10: 'ranks' is 0"),
        ({"fixed": 'ranks = "2"'}, "s.toml:10: 'ranks' is '2'"),
        ({"fixed": "env = { X = 1 }"}, "s.toml:10: 'env' is .*table of texts"),
        ({"fixed": "mpi_io = true"}, "s.toml:10: 'mpi_io' is True .*Write mpi_io = \"romio\""),
        ({"axes": 'axes = { layout = ["shard"] }'}, "s.toml:14: 'layout' is 'shard' .*Did you mean 'shared'"),
        ({"axes": 'axes = { benchmark = ["storge"] }'}, "s.toml:14: .*'storge'. Did you mean 'storage'"),
        ({"axes": 'fixed = { benchmark = "stream", block = "1B" }'}, "s.toml:14: .*'stream' has no such"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_core_is_refused_at_its_line(
    schema: Schema, changes: dict[str, str], message: str
) -> None:
    with pytest.raises(WeirError, match=message):
        cases(schema, **changes)


def test_a_backend_that_this_build_lacks_leaves_its_cases_out_and_no_others(schema: Schema) -> None:
    text = study_text(axes='axes = { backend = ["posix", "hdf5"], ranks = [1, 2] }')
    found = expand(parse_study(text, "s.toml"), schema)
    assert [case.label for case in found.cases] == ["backend posix, ranks 1", "backend posix, ranks 2"]
    assert left_out_words(found.left_out) == [
        "left out of only: 2 cases (backend hdf5, ranks 1; backend hdf5, ranks 2), "
        "since this build has no back-end hdf5: no parallel HDF5 was found"
    ]


def test_options_of_a_backend_that_is_left_out_need_not_be_known(schema: Schema) -> None:
    text = study_text(axes='fixed = { backend = "hdf5", chunk = "1MiB" }')
    found = expand(parse_study(text, "s.toml"), schema)
    assert found.cases == [] and [item.label for item in found.left_out] == ["only"]


def test_an_implementation_of_mpi_io_may_be_an_axis(schema: Schema) -> None:
    found = cases(schema, axes='axes = { mpi_io = ["ompio", "romio"] }')
    names = [(case.label, case.mpi_io) for case in found]
    assert names == [("mpi_io ompio", "ompio"), ("mpi_io romio", "romio")]
    assert found[0].id != found[1].id


def test_without_a_benchmark_there_is_nothing_to_check(schema: Schema) -> None:
    text = '[study]\nname = "x"\n[[comparison]]\nname = "a"\n'
    with pytest.raises(WeirError, match=r"s\.toml:3: comparison 'a' names no benchmark\. .*= \"storage\""):
        expand(parse_study(text, "s.toml"), schema)


def test_an_option_type_of_a_later_core_is_refused_in_words(schema: Schema) -> None:
    newer = Schema(version="9", benchmarks=[*schema.benchmarks])
    option = next(o for o in newer.benchmarks[0].options if o.name == "segments")
    before, option.type = option.type, "colour"
    try:
        with pytest.raises(WeirError, match="unknown type 'colour'"):
            cases(newer, fixed="segments = 2")
    finally:
        option.type = before


OPTIONS = st.dictionaries(st.text(min_size=1), st.one_of(st.none(), st.booleans(), st.integers(), st.text()))


@given(OPTIONS)
def test_the_id_does_not_depend_on_the_order_of_keys(options: dict[str, Any]) -> None:
    backwards = dict(reversed(options.items()))
    assert case_id("b", 1, {}, options) == case_id("b", 1, {}, backwards)


def test_the_id_is_what_the_reference_says() -> None:
    """Another id for the same case would break the resuming of every run there is."""
    text = case_id("storage", 2, {"A": "é"}, {"block": 1, "time_limit": 30.0, "dir": None})
    options = '{"block":1,"dir":null,"time_limit":30.0}'
    canonical = f'{{"benchmark":"storage","env":{{"A":"\\u00e9"}},"options":{options},"ranks":2}}'
    assert text == hashlib.sha256(canonical.encode()).hexdigest()[:16]


def test_ids_tell_apart_what_differs() -> None:
    others = [("b", 1, {}, {}), ("a", 2, {}, {}), ("a", 1, {"X": ""}, {}), ("a", 1, {}, {}, "romio")]
    assert len({case_id(*one) for one in [("a", 1, {}, {}), *others]}) == 5


MORE = '[[comparison]]\nname = "large"\noptional = true\nfixed = { segments = 4 }'


def optional_study(**changes: str) -> Study:
    return parse_study(study_text(**({"axes": "", "more": MORE} | changes)), "s.toml")


def test_an_optional_comparison_is_run_only_if_asked_for(schema: Schema) -> None:
    assert [case.comparisons for case in expand(optional_study(), schema).cases] == [("only",)]
    asked = optional_study().asking_for(["large"])
    assert [case.comparisons for case in expand(asked, schema).cases] == [("only",), ("large",)]
    assert (optional_study().not_asked, asked.not_asked) == (["large"], [])


def test_one_that_runs_anyway_may_be_asked_for(schema: Schema) -> None:
    assert len(expand(optional_study().asking_for(["only"]), schema).cases) == 1


def test_there_must_be_such_a_comparison() -> None:
    with pytest.raises(WeirError, match=r"has no comparison 'larg'.*Did you mean 'large'"):
        optional_study().asking_for(["larg"])


def test_a_study_of_optional_comparisons_says_how_to_ask(tmp_path_factory: pytest.TempPathFactory) -> None:
    only_optional = optional_study(axes="optional = true", more="")
    with pytest.raises(WeirError) as caught:
        make_plan(only_optional, Core(FAKE_CORE, tmp_path_factory.mktemp("cache")), None)
    assert caught.value.exit_code is ExitCode.NOTHING_SELECTED
    assert "--with only" in str(caught.value)


def test_axes_that_go_together_are_not_crossed(schema: Schema) -> None:
    axes = (
        'axes = { transfer = ["1KiB", "2KiB"], segments = [1, 2], layout = ["shared", "file-per-process"] }'
    )
    found = cases(schema, axes=axes + '\ntogether = ["transfer", "layout"]')
    assert [case.label for case in found] == [
        "transfer 1KiB, segments 1, layout shared",
        "transfer 1KiB, segments 2, layout shared",
        "transfer 2KiB, segments 1, layout file-per-process",
        "transfer 2KiB, segments 2, layout file-per-process",
    ]


@pytest.mark.parametrize(
    ("together", "says"),
    [
        ('["transfer", "layouts"]', "'layouts' is no axis of 'only'.*Did you mean 'layout'"),
        ('["transfer", "layout"]', "different numbers of values.*transfer has 2, layout has 1"),
    ],
)
def test_only_axes_of_one_length_go_together(schema: Schema, together: str, says: str) -> None:
    axes = 'axes = { transfer = ["1KiB", "2KiB"], layout = ["shared"] }'
    with pytest.raises(WeirError, match=says):
        cases(schema, axes=f"{axes}\ntogether = {together}")
