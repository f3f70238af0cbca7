"""Named choices of parameters in place of the derived ones: what is to be made of those of one turn.

One function a module, under `@preset(NAME)`; its docstring says whose choice it is.
"""

from collections.abc import Callable

from weir.mimic.parameters import Parameters
from weir.registry import Registry

presets: Registry[Callable[[Parameters], Parameters]] = Registry("weir.mimic.presets", "preset")
preset = presets.register
