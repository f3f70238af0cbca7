"""One module a part of the machine; each probe registers itself."""
