"""Sections of what a trace says, a module each: the sums over its calls, the part of the page, and rules that
say what stands out. A rule's thresholds stand with it.
"""
