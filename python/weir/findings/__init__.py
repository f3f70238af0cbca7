"""What measured rows say: saturation, ratios, cache effects, and the words for them. Pure: rows in,
findings out.
"""
