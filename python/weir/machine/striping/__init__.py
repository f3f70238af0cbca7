"""How file systems that spread a file over servers do so: one module each."""
