"""What a machine has of everything for each operation of HPL: its balance, whatever its size."""
