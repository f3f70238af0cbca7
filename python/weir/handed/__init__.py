"""What a verb was handed: a run, a trace, a study, a pattern, …; and what takes it, if the verb does not."""
