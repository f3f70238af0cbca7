"""The rules of a comparison as a person writes them."""

from weir.compare.comparison import Rules
from weir.errors import WeirError
from weir.units import parse_share


def rules_of(matters: str, assume: str) -> Rules:
    """Of shares such as "10%". Raises WeirError for what is none, or makes no sense."""
    least, deviation = parse_share(matters), parse_share(assume)
    for share, name in ((least, "--matters"), (deviation, "--assume")):
        if share >= 1:
            raise WeirError(f"{name} is {share:.0%}", "it must be less than 100 %", 'write for example "5%"')
    return Rules(1 + least, deviation)
