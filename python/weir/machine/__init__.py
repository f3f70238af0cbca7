"""The machine card: what this machine is, as far as it can be told, and what to watch out for on it."""
