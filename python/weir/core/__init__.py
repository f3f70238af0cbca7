"""The native core as Python sees it: a program that says what it can do and what a case would do."""
