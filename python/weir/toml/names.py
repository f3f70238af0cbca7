"""What names in Weir's files may be: they become names of files and folders."""

NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"
WHAT_NAMES_ARE = "it is letters, digits, _, . and -, and begins with a letter or a digit"
