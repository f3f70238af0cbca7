"""From the calls of a trace to the operations of its ranks."""
