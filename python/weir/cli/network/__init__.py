"""Make models of a machine's network from runs."""
