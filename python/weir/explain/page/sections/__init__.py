"""Parts of the page that are made from tables alone: one module each, with a function `section(summary)` that
gives a Section, or None where the summary tells nothing of it."""
