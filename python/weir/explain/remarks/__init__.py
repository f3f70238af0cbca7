"""Rules that say what stands out: one module each, with a function `remarks(summary)` that yields Remarks.

Thresholds stand beside their rule. A rule tells numbers that were measured, and the time that it concerns.
"""
