"""What kinds of operations there are, as the recorder names them."""

OPEN, CLOSE, READ, WRITE, SEEK, SYNC = "open", "close", "read", "write", "seek", "sync"
RESIZE, STAT, REMOVE, RENAME, MAP = "resize", "stat", "remove", "rename", "map"
COMMUNICATE, WAIT, MARK, OTHER = "communicate", "wait", "mark", "other"

TRANSFERS = (READ, WRITE)
"""They move bytes between the program and files."""

NO_IO = (COMMUNICATE, WAIT, MARK, OTHER)
"""They are no I/O, unless they happen inside a call that is."""
