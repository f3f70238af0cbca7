"""`flux run` of Flux: each launch is a job of the Flux instance that this process reaches."""

import shutil
import subprocess
from dataclasses import dataclass

from weir.errors import WeirError
from weir.launch.base import Command, LaunchSpec, launcher
from weir.launch.in_job import InJob, nodes_asked, uneven
from weir.launch.mpirun import LONGEST_ANSWER_S, does_not_answer

_AFFINITY = {"core": "per-task", "none": "off"}


@dataclass(frozen=True)
class Instance:
    """What the command depends on apart from the spec; `nodes`: of the instance, null
    where there is none yet."""

    program: str
    nodes: int | None


@launcher("flux")
class Flux(InJob):
    """Starts ranks as jobs of Flux: it gives each rank a core, or as many as it has threads, and refuses more
    ranks than the instance has cores."""

    summary = "flux run of Flux"

    def __init__(self, instance: Instance | None = None) -> None:
        super().__init__()
        self._instance = instance

    def prepare(self) -> None:
        """Find flux and its instance. Raises WeirError where there is none."""
        self._instance = self._instance or _find_instance()

    def foresee(self) -> str:
        """Without an instance, flux by its name."""
        try:
            self.prepare()
        except WeirError:
            self._instance = Instance("flux", None)
            return "this is no instance of Flux: its nodes are not known yet"
        return ""

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The job. Flux hands its environment on as it is."""
        argv = [self._known().program, "run", f"--ntasks={spec.ranks}"]
        nodes = nodes_asked(spec)
        if nodes is not None:
            argv += [f"--nodes={nodes}"]
        if spec.host is not None:
            argv += [f"--requires=host:{spec.host}"]
        if spec.threads > 1:
            argv += [f"--cores-per-task={spec.threads}"]
        argv += ["-o", f"cpu-affinity={_AFFINITY[self.binding(spec)]}", "-o", "exit-on-error"]
        return Command((*argv, *program), self.variables(spec))

    def binding(self, spec: LaunchSpec) -> str:
        """As asked; else to cores, of which each rank has its own."""
        return spec.binding or "core"

    def nodes(self) -> int | None:
        """Those of the instance."""
        return self._known().nodes

    def cannot(self, spec: LaunchSpec) -> str | None:
        """It binds to cores or not at all, and spreads ranks evenly."""
        if spec.binding == "socket":
            return "Flux binds ranks to cores or not at all"
        return uneven(spec, "Flux")

    def _known(self) -> Instance:
        self.prepare()
        assert self._instance is not None
        return self._instance


def _find_instance() -> Instance:
    program = shutil.which("flux")
    if program is None:
        why = "there is no flux in PATH"
        raise WeirError("cannot start ranks", why, "use --launcher mpirun, or load Flux's module")
    try:
        done = subprocess.run(
            [program, "getattr", "size"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_ANSWER_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise does_not_answer(program, error.timeout, "getattr size") from error
    except OSError as error:
        raise _no_instance(error.strerror or str(error)) from error
    said = done.stdout.strip()
    if done.returncode != 0 or not said.isdecimal():
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise _no_instance(lines[0] if lines else "flux getattr size printed nothing")
    return Instance(program, int(said))


def _no_instance(why: str) -> WeirError:
    advice = "start weir in an instance: flux alloc --nodes 2 weir run …"
    return WeirError("cannot start ranks by flux", why, advice)
