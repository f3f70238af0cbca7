"""Carries out a pattern by the front's machinery: as a study of one case."""
