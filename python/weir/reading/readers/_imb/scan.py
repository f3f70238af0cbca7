"""IMB's output line by line: what it says of itself, its tables, and what it did not measure.

The lines are those of PMB 2.2, of IMB 2.3 to 4.x and of 2017 to 2021, in C and in C++; what MPI libraries and
batch systems print between them is passed over.
"""

import re
from dataclasses import dataclass, field

Columns = tuple[str, ...]

INTEGERS = frozenset({"Group", "#bytes", "#repetitions", "Msg/sec"})
"""Columns of whole numbers; all others have two decimals."""
KNOWN = INTEGERS | {
    *("t[usec]", "t_min[usec]", "t_max[usec]", "t_avg[usec]", "Mbytes/sec", "defects"),
    *("t_ovrl[usec]", "t_pure[usec]", "t_CPU[usec]", "overlap[%]"),
}


@dataclass(frozen=True)
class Entry:
    """A line of a table: the texts of its cells by their columns."""

    line: int
    cells: dict[str, str]

    def number(self, column: str) -> int | None:
        """The cell of a column of whole numbers; None where the table has no such column."""
        return int(self.cells[column]) if column in self.cells else None


@dataclass(frozen=True)
class Gap:
    """A line that holds no result, and why. `size` is the message's where that is known."""

    line: int
    size: int | None
    why: str


@dataclass
class Table:
    """The results of one function on one number of processes; `processes` are those of a group."""

    line: int
    function: str
    processes: int | None = None
    groups: int = 1
    idle: int = 0
    mode: str | None = None
    columns: Columns = ()
    entries: list[Entry] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)


@dataclass
class Output:
    """What one start of IMB printed. `facts` has the texts behind "# Machine :" and the like."""

    line: int
    version: str | None = None
    part: str | None = None
    facts: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    complete: bool = False


BEGIN = re.compile(
    r"MPI Benchmark(?:s| Suite) +V?(?P<version>[^,#]{1,60}?) *, *"
    r"(?P<part>(?:MPI-)?\w+) part(?P<gpu> \(GPU\))?"
)
TABLE = re.compile(r"# Benchmarking +(?:Multi-)?(?P<function>[A-Za-z]\w*) *$")
_END = re.compile(r"# All processes entering MPI_Finalize|# +Thanks for using (?:PMB|IMB)")
_FACT = re.compile(
    r"# (?P<key>Date|Machine|System|Release|Version|MPI Version|MPI Thread Environment"
    r"|MPI_Datatype|MPI_Datatype for reductions) *: *(?P<value>.*)$"
)
_GLUED = re.compile(r"(?<=\S)(?=# System *:)")
"""Until version 2.3 the machine's line has no end."""
_ALONE = re.compile(r"# (?:\( )?#processes = ([0-9]{1,9})\b")
_GROUPS = re.compile(r"# \( ([0-9]{1,9}) groups of ([0-9]{1,9}) processes each running simultaneous")
_IDLE = re.compile(r"# \( ([0-9]{1,9}) additional process(?:es)? waiting in MPI_Barrier")
_MODE = re.compile(r"# +MODE: (AGGREGATE|NON-AGGREGATE)")
_LISTED = re.compile(r"# ([A-Za-z]\w*) *$")
_NOT_MEASURED = re.compile(
    r"(?:[0-9]{1,9}\s+)?(?P<size>[0-9]{1,18})\s+(?P<why>(?:out-of-mem|int[- ]overflow|time-out)\b.*)"
)
_NUMBER = re.compile(r"[0-9.]+")
_WHOLE = re.compile(r"[0-9]{1,18}")
_DECIMALS = re.compile(r"[0-9]{1,15}\.[0-9]{2}")
_AFTER_COMMAND = re.compile(r"# (?:Minimum|Maximum|Message|IO) |# MPI_")


def scan(text: str) -> list[Output]:
    """Every start of IMB in the text."""
    scanner = _Scanner()
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        for part in _GLUED.split(line):
            scanner.feed(number, part.strip(), cut=number == len(lines))
    return scanner.found


class _Scanner:
    """Knows in which output, and in which of its parts, the next line is."""

    def __init__(self) -> None:
        self.found: list[Output] = []
        self._table: Table | None = None
        self._part = ""

    def feed(self, number: int, line: str, *, cut: bool) -> None:
        """Take the next line, without the blanks around it; one that is `cut` off may lack its end."""
        if begin := BEGIN.search(line):
            self._begin(number, begin["version"], begin["part"] + (begin["gpu"] or ""))
        elif table := TABLE.search(line):
            self._table = Table(number, table["function"])
            self._output(number).tables.append(self._table)
        elif _END.search(line):
            if self.found:
                self.found[-1].complete = True
            self._table = None
        elif self._table is None:
            self._feed_head(line)
        elif self._table.entries and (_ALONE.search(line) or _GROUPS.search(line)):
            self._table.gaps.append(Gap(number, None, "the table that begins here does not say its function"))
            self._table = None
        elif self._table.columns:
            _feed_row(self._table, number, line, cut=cut)
        else:
            _feed_heading(self._table, number, line)

    def _begin(self, number: int, version: str | None, part: str | None) -> None:
        self._table, self._part = None, ""
        self.found.append(Output(number, version, part))

    def _output(self, number: int) -> Output:
        """The output that a table belongs to: one without a beginning where the last is complete."""
        if not self.found or self.found[-1].complete:
            table = self._table
            self._begin(number, None, None)
            self._table = table
        return self.found[-1]

    def _feed_head(self, line: str) -> None:
        """A line before the first table."""
        if not self.found or self.found[-1].complete:
            return
        output = self.found[-1]
        if line.startswith("# Calling sequence was"):
            self._part = "command"
        elif line.startswith("# List of Benchmarks to run"):
            self._part = "list"
        elif fact := _FACT.match(line):
            output.facts.setdefault(fact["key"], fact["value"].strip())
        elif self._part == "command":
            words = line.lstrip("#").split()
            if _AFTER_COMMAND.match(line) or (output.command and not words):
                self._part = ""
            elif line.startswith("#"):
                output.command += words
        elif self._part == "list" and (listed := _LISTED.match(line)):
            output.listed.append(listed[1])


def _feed_heading(table: Table, number: int, line: str) -> None:
    """A line between a table's title and its rows."""
    if alone := _ALONE.search(line):
        table.processes = int(alone[1])
    elif groups := _GROUPS.search(line):
        table.groups, table.processes = int(groups[1]), int(groups[2])
    elif idle := _IDLE.search(line):
        table.idle = int(idle[1])
    elif mode := _MODE.search(line):
        table.mode = mode[1].lower()
    elif "#repetitions" in line:
        table.columns = tuple(line.split())
        if why := _why_not_known(table):
            table.gaps.append(Gap(number, None, why))


def _why_not_known(table: Table) -> str:
    unknown = [column for column in table.columns if column not in KNOWN]
    if unknown:
        return f"the column '{unknown[0]}' is not known"
    if len(set(table.columns)) < len(table.columns):
        return "a column is there twice"
    return "" if table.processes else "it does not say of how many processes the table is"


def _feed_row(table: Table, number: int, line: str, *, cut: bool) -> None:
    """A line after a table's headings: a row, or what others printed."""
    words = line.split()
    if not words or line.startswith("#") or _why_not_known(table):
        return
    if gap := _NOT_MEASURED.match(line):
        table.gaps.append(Gap(number, int(gap["size"]), f"IMB printed: {gap['why']}"))
    elif all(map(_NUMBER.fullmatch, words)) or all(map(_WHOLE.fullmatch, words[:2])):
        why = "the file ends within this line" if cut else _why_no_row(words, table.columns)
        if why:
            table.gaps.append(Gap(number, None, why))
        else:
            table.entries.append(Entry(number, dict(zip(table.columns, words, strict=True))))


def _why_no_row(words: list[str], columns: Columns) -> str:
    if len(words) != len(columns):
        return f"{len(words)} words are not {len(columns)} numbers"
    for word, column in zip(words, columns, strict=True):
        if column in INTEGERS and not _WHOLE.fullmatch(word):
            return f"'{word}' under '{column}' is no whole number"
        if column not in INTEGERS and not _DECIMALS.fullmatch(word):
            return f"'{word}' under '{column}' is no number with two decimals"
    return ""
