"""A site's own launcher as its file describes it."""

from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.launch.base import LaunchSpec
from weir.launch.of_site import OfSite
from weir.site.load import site_of
from weir.site.template import Template

FILE = Path("/etc/site.toml")
COMMAND = '["sh", ["-N", "{nodes}"], "-n", "{ranks}", ["--each={ranks_per_node}"], ["--at", "{host}"], '
COMMAND += '["--{binding}-bound"], ["-c{threads}"], "{program}", "{{end}}"]'
PROGRAM = ("weir-core", "case {0}.json")


def template(more: str = "", command: str = COMMAND) -> Template:
    return site_of({FILE: f"[launchers.ours]\ncommand = {command}\n{more}"}, {}).launchers["ours"]


def words(spec: LaunchSpec, more: str = "") -> str:
    return " ".join(OfSite(template(more)).command(spec, PROGRAM).argv)


END = "weir-core case {0}.json {end}"


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        (LaunchSpec(4), f"sh -n 4 {END}"),
        (LaunchSpec(4, nodes=2), f"sh -N 2 -n 4 {END}"),
        (LaunchSpec(4, ranks_per_node=2), f"sh -N 2 -n 4 --each=2 {END}"),
        (LaunchSpec(4, host="n3"), f"sh -N 1 -n 4 --at n3 {END}"),
        (LaunchSpec(4, binding="core", threads=2), f"sh -n 4 --core-bound -c2 {END}"),
    ],
)
def test_what_a_launch_does_not_ask_for_is_left_out(spec: LaunchSpec, line: str) -> None:
    assert words(spec) == line
    assert OfSite(template()).lacks(spec) is None


def test_variables_go_by_the_environment_and_by_words_where_there_are_some() -> None:
    spec = LaunchSpec(2, env=(("A", "b{c}"), ("D", "e f")))
    assert words(spec) == f"sh -n 2 {END}"
    assert words(spec, 'env = ["-x", "{name}={value}"]') == f"sh -n 2 -x A=b{{c}} -x D=e f {END}"
    assert OfSite(template()).command(spec, PROGRAM).env == {"A": "b{c}", "D": "e f"}


def test_a_site_has_its_own_words_for_bindings() -> None:
    own = 'bindings = { core = "cores" }'
    assert words(LaunchSpec(2, binding="core"), own) == f"sh -n 2 --cores-bound {END}"
    assert "no word for the binding 'none'" in (
        OfSite(template(own)).lacks(LaunchSpec(2, binding="none")) or ""
    )


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (LaunchSpec(2, nodes=1), "nodes"),
        (LaunchSpec(2, ranks_per_node=1), "nodes"),
        (LaunchSpec(2, nodes=1, ranks_per_node=2), "nodes"),
        (LaunchSpec(2, threads=2), "threads"),
        (LaunchSpec(2, host="n3"), "host"),
        (LaunchSpec(2, binding="core"), "binding"),
    ],
)
def test_what_has_no_field_is_not_started_in_another_way(spec: LaunchSpec, field: str) -> None:
    least = OfSite(template(command='["sh", "{ranks}", "{program}"]'))
    assert f"has no {{{field}}} ({FILE}:2)" in (least.lacks(spec) or "")
    with pytest.raises(WeirError, match="cannot start ranks by ours"):
        least.command(spec, PROGRAM)


def test_ranks_of_each_node_say_how_many_nodes() -> None:
    by_node = OfSite(template(command='["sh", "{ranks}", ["-N{ranks_per_node}"], ["-h{host}"], "{program}"]'))
    both = by_node.command(LaunchSpec(4, nodes=2, ranks_per_node=2), PROGRAM)
    assert both.argv[:3] == ("sh", "4", "-N2") and by_node.lacks(LaunchSpec(4, host="n3")) is None
    assert "no {nodes}" in (by_node.lacks(LaunchSpec(4, nodes=2)) or "")


def test_nodes_say_how_many_ranks_each_has() -> None:
    by_nodes = OfSite(template(command='["sh", "{ranks}", ["-N{nodes}"], "{program}"]'))
    assert by_nodes.command(LaunchSpec(4, nodes=2, ranks_per_node=2), PROGRAM).argv[:3] == ("sh", "4", "-N2")
    assert "no {ranks_per_node}" in (by_nodes.lacks(LaunchSpec(5, ranks_per_node=4)) or "")


def test_one_rank_is_on_one_node() -> None:
    least = OfSite(template(command='["sh", "{ranks}", "{program}"]'))
    assert least.lacks(LaunchSpec(1, nodes=1, ranks_per_node=1)) is None


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(WeirError, match=f"no program 'nowhere', which {FILE}:2 names"):
        OfSite(template(command='["nowhere", "{ranks}", "{program}"]')).prepare()


def test_an_earlier_file_changes_a_launcher_key_by_key() -> None:
    lower = '[launchers.ours]\ncommand = ["sh", "{ranks}", "{program}"]\nenv = ["-x", "{name}"]\n'
    both = {Path("/home/site.toml"): "[launchers.ours]\nenv = []\n", FILE: lower}
    found = site_of(both, {}).launchers["ours"]
    assert (found.env, found.place) == ((), f"{FILE}:2")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, 'command = ["ourrun"'),
        ('comand = ["sh"]', 2, "did you mean 'command'?"),
        ('command = "sh {ranks} {program}"', 2, 'command = ["ourrun"'),
        ("command = []", 2, 'command = ["ourrun"'),
        ('command = ["sh", "{program}"]', 2, 'command = ["ourrun"'),
        ('command = ["sh",\n"{ranks}"]', 2, 'command = ["ourrun"'),
        ('command = ["sh", "{ranks}", "{program}", "{program}"]', 2, 'command = ["ourrun"'),
        ('command = ["{ranks}", "{program}"]', 2, 'command = ["ourrun"'),
        ('command = [["sh"], "{ranks}", "{program}"]', 2, 'command = ["ourrun"'),
        ('command = ["sh",\n"{ranks}",\n"{rank}", "{program}"]', 4, "did you mean 'ranks'?"),
        ('command = ["sh", "{ranks:3}", "{program}"]', 2, "did you mean 'ranks'?"),
        ('command = ["sh", "{ranks", "{program}"]', 2, "{{ and }}"),
        ('command = ["sh", "{ranks}", "{}", "{program}"]', 2, "use one of: ranks"),
        ('command = ["sh", "{ranks}",\n"{nodes}", "{program}"]', 3, '["--option", "{nodes}"]'),
        ('command = ["sh", "{ranks}", ["{program}"]]', 2, '"{program}"'),
        ('command = ["sh", "{ranks}", "exec {program}"]', 2, '"{program}"'),
        ('command = ["sh", "{ranks}", "{program}"]\nenv = ["{nam}"]', 3, "did you mean 'name'?"),
        ('command = ["sh", "{ranks}", "{program}"]\nbindings = { cor = "c" }', 3, "did you mean 'core'?"),
        ('command = ["sh\\n", "{ranks}", "{program}"]', 2, "write each line as a text"),
    ],
)
def test_a_command_that_could_start_no_ranks_is_refused(text: str, line: int, said: str) -> None:
    with pytest.raises(WeirError) as caught:
        site_of({FILE: f"[launchers.ours]\n{text}"}, {})
    assert caught.value.problem.startswith(f"{FILE}:{line}: ")
    assert said in caught.value.suggestion.lower() or said in caught.value.suggestion
