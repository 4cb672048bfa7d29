"""Verdicts of the regression gate: exit codes, and the files that CI reads."""
