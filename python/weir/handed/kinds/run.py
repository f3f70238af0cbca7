"""What `weir run` leaves."""

from weir.files.thing import Thing
from weir.handed.kind import kind

USE = "`weir show {0}` shows it, `weir report {0}` writes its report"
STUDY = "name its study: {0}/study.toml"


@kind(
    "pattern-run",
    "a run",
    USE,
    study=STUDY,
    pattern="name the pattern that it carried out: {0}/pattern.json",
)
def pattern_run(thing: Thing) -> bool:
    """Of `weir replay` or `weir predict`."""
    return run(thing) and thing.holds("pattern.json")


@kind(
    "run",
    "a run",
    USE,
    ("run.json", "samples.jsonl", "study.toml", "pattern.json", "calibration-*.json", "lock", "logs/*"),
    study=STUDY,
)
def run(thing: Thing) -> bool:
    """A folder with a head."""
    return thing.holds("run.json")
