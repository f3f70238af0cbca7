"""An application's own account of its I/O, call by call, as papers print it."""
