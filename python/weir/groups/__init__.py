"""Runs by phase, and how their ranks were grouped."""
