"""Uncertainty analysis over assumed numbers and readings of the rules."""
