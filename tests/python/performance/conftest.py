"""Makes the modules of the performance benchmarks importable: they are scripts, not part of Weir."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "performance"))
