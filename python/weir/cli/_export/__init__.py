"""Where `weir export` writes to."""
