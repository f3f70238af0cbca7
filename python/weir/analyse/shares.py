"""Whether something happened more often among some samples than among others.

Source: R. A. Fisher, Statistical Methods for Research Workers (1934), section 21.02: the exact test.
"""

import math


def chance_of_shares(count: int, of: int, other: int, of_other: int) -> float:
    """The chance that shares differ as `count` of `of` and `other` of `of_other` do, or more, where both come
    from one: the sum of all tables that are no likelier."""
    total, both = of + of_other, count + other
    if not of or not of_other:
        return 1.0
    ways = {
        k: math.comb(of, k) * math.comb(of_other, both - k)
        for k in range(max(0, both - of_other), min(of, both) + 1)
    }
    rare = sum(number for number in ways.values() if number <= ways[count])
    return rare / math.comb(total, both)
