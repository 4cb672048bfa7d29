"""Data of a difficulty report: all studies of a scenario within one time budget."""
