"""What a computing centre sets for all that use Weir there: launcher, jobs, directories, thresholds."""
