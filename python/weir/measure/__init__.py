"""Carries out a study: what to launch next, when a case is settled, and everything around a launch."""
