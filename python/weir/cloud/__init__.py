"""Dumps of the gas cloud: opened, summed up, drawn. What is in them: src/apps/cloud/dump."""
