"""The quick evaluation: a study cut to fit this machine, measured, and reported."""
