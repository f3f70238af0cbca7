"""Studies in jobs of a batch system: how many jobs, handing them in, and how far they are."""
