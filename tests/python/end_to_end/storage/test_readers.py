"""Reordered readers: each part is read once, and nobody reads its own.

Seen from outside by files that are gone: of a file for each rank one is missing, and the rank that should
read it is the one that fails.
"""

from pathlib import Path

import pytest

from ..conftest import folder_with_store
from ..real_core import names_in, run_cases, run_core, storage, write_cases

OWN_FILES = {"layout": "file-per-process"}
ORDERS = [("node", 0), *(("random", seed) for seed in range(3))]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a rank's file is called, without the rank."""
    folder = folder_with_store(tmp_path_factory, "names")
    run_core(write_cases(storage("names", keep=True, **OWN_FILES), folder=folder), cwd=folder).ended(0)
    (name,) = (name for name in names_in(folder / "store") if name.startswith("weir-"))
    assert name.endswith("0" * 8)
    return name.removesuffix("0" * 8)


@pytest.mark.parametrize("ranks", range(2, 6))
def test_every_part_is_read_by_another_rank(place: Path, prefix: str, ranks: int) -> None:
    cases = []
    for missing in range(ranks):
        folder = place / f"without-{missing}"
        folder.mkdir()
        for rank in set(range(ranks)) - {missing}:
            (folder / f"{prefix}{rank:08}").write_bytes(bytes(64 * 1024))
        for order, seed in ORDERS:
            changes = {"dir": str(folder), "write": False, "reorder": order, "seed": seed}
            cases.append(storage(f"{order}-{seed} {missing}", **OWN_FILES, **changes))
    done = run_cases(*cases, code=3, ranks=ranks)
    for order, seed in ORDERS:
        failures = [done.failure(f"{order}-{seed} {missing}") for missing in range(ranks)]
        assert all(f"{missing:08}'" in failure["problem"] for missing, failure in enumerate(failures))
        readers = [failure["rank"] for failure in failures]
        assert sorted(readers) == list(range(ranks))
        assert all(reader != part for part, reader in enumerate(readers))
