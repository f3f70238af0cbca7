"""What a person can do where the system takes no more of a file."""

import errno

_FREE = "free space there"
_ADVICE = {
    errno.EFBIG: "raise the limit on file sizes (ulimit -f)",
    errno.EDQUOT: "free space there, for your quota is used up",
    errno.EROFS: "let it be written to",
    errno.EBADF: "leave it open",
}


def how_to_get_room(error: OSError) -> str:
    """The advice: free space, but where that is not what is wanting."""
    return _ADVICE.get(error.errno or 0, _FREE)
