"""Statistics of samples, and what follows from them. Data in, data out; standard library only."""
