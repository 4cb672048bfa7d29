"""Shares of luck and skill in the result of a game."""
