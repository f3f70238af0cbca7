"""Where the native core is; apart from its client, so that `weir --help` need not load what that needs."""

import os
import shutil
from pathlib import Path

from weir.errors import WeirError

PROGRAM = "weir-core"
VARIABLE = "WEIR_CORE"


def find_core() -> Path:
    """The `weir-core` to use: WEIR_CORE if set, else from PATH, else what was built in this checkout.

    Raises WeirError where there is none, or where WEIR_CORE names no program.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise WeirError(
                f"{VARIABLE} is '{named}'", "that is no program", "set it to the path of weir-core"
            )
        return Path(found).resolve()
    on_path = shutil.which(PROGRAM)
    if on_path:
        return Path(on_path).resolve()
    for parent in Path(__file__).resolve().parents:
        built = parent / "build" / "release" / "bin" / PROGRAM
        if os.access(built, os.X_OK):
            return built
    raise WeirError(
        f"cannot find {PROGRAM}",
        "it is neither in PATH nor built in this checkout",
        f"build it with `make build`, or set {VARIABLE} to its path",
    )
