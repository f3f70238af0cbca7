"""Text that can be shown: names of files may hold any byte, and so what steers a terminal."""

import re
import shlex

_STEERS = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines, what turns the direction of writing, and bytes that are no UTF-8."""

_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def printable(text: str) -> str:
    r"""The text, with what steers escaped as Python would write it, `\n` or `\x1b`; bytes that are no UTF-8
    (as `os.fsdecode` gives them) as `\xff`."""
    return _STEERS.sub(_escaped, text)


def shell_word(text: str) -> str:
    """The text as a word of a command that a person may copy; what steers as `$'...'` has it."""
    shown = printable(text)
    if shown == text:
        return shlex.quote(text)
    word = "".join(
        _STEERS.sub(_in_shell, one) if _STEERS.match(one) else _QUOTED.get(one, one) for one in text
    )
    return f"$'{word}'"


_QUOTED = {"'": r"\'", "\\": r"\\"}


def _in_shell(match: re.Match[str]) -> str:
    character = match[0]
    if 0xDC80 <= ord(character) <= 0xDCFF:
        return f"\\x{ord(character) - 0xDC00:02x}"
    return _SHORT.get(
        character, f"\\x{ord(character):02x}" if ord(character) < 0x80 else f"\\u{ord(character):04x}"
    )


def printable_lines(text: str) -> str:
    """The same of a text of several lines, whose ends stay."""
    return "\n".join(map(printable, text.split("\n")))


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    number = ord(character)
    number -= 0xDC00 if 0xDC80 <= number <= 0xDCFF else 0
    return _SHORT.get(character, f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}")


def json_text(text: str) -> str:
    """JSON text, with what steers a terminal escaped as JSON has it; it still says the same."""
    return _STEERS.sub(lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", text)


def cell_text(text: str) -> str:
    """The text as a cell of a table that spreadsheets may read: printable, and with an apostrophe before what
    they would take for a formula (what begins with =, +, - or @)."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
