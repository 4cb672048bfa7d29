"""Plots: ordinary functions from data to matplotlib `Axes`, and their SVG and PNG files."""
