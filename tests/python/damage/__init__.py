"""Random damage to every file that a verb reads: mutations, what is damaged, and how a verb may end."""
