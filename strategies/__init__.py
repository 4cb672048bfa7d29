"""Who plays: a module or package per game, and those that play any game."""

if __name__ != "hardmode.strategies":
    raise ImportError("strategies is a part of hardmode: import hardmode.strategies")
