"""Batch systems: how a job's script is written, handed over, and asked after."""
