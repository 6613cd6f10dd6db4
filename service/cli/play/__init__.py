"""`proofbase play`: a person plays a game on the command line, against what is proved and what a search finds."""
