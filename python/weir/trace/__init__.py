"""Traces: what a program asked of storage, call by call. The format is docs/reference/trace.md."""
