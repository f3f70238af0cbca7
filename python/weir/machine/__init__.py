"""The machine card: what this machine is, as far as it is known, and what to watch out for on it."""
