"""Logs of other tools that are read as traces: one module a tool, registering its class."""
