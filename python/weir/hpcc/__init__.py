"""The HPC Challenge: its rates, figures, tables and first numbers."""
