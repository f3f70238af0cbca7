"""Packed traces: one file, and few bytes a call. The format is docs/reference/trace.md."""
