"""Counts of things in words."""


def count_words(number: int, noun: str, many: str = "") -> str:
    """ "1 rank", "2 ranks", "12,000 ranks"; `many` where the plural is not the noun and an s."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def more_words(number: int, noun: str) -> str:
    """ "1 more file", "2 more files"."""
    return count_words(number, f"more {noun}")
