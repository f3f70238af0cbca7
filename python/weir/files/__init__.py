"""Files where others can write too: opened by directory descriptors, never through a link that others could
have planted, never into what belongs to others. Every module of Weir that writes a file does it by these."""
