"""Which node of a machine is ill: a study's cases run on each node by itself, and what differs."""
