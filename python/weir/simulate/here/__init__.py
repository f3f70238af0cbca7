"""The model of a machine that was measured: from a run of the study `model`."""
