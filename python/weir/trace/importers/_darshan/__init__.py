"""Reads Darshan's logs: in a process of its own, since the library ends the process on some damaged logs."""
