"""Runs a program under the recorder."""
