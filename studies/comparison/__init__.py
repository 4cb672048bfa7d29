"""Comparison of variants, skill levels and strategies."""
