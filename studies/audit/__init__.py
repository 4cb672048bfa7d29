"""Audit of the rules of a game: a search for known kinds of faults, each with evidence.

All checks together share one error rate (Bonferroni's method): with a probability of at least the
confidence level, no finding of an audit is due to chance.
"""
