"""What a packed trace begins and ends with, apart from what reads it: to tell one needs no NumPy."""

MAGIC = b"WEIRPAK1"
