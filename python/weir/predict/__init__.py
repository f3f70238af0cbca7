"""Forecasts of what an application's I/O takes, from measurements of something simpler."""
