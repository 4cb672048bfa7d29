"""Conformance of games to the contract, tested by playing.

`hardmode check-game` runs these checks for shipped games and for games from other packages.
"""
