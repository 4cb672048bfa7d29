"""What is played: boxes and scenarios, a folder per game, and how they are read."""

if __name__ != "hardmode.scenarios":
    raise ImportError("scenarios is a part of hardmode: import hardmode.scenarios")
