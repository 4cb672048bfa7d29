"""The simulator: draws, the game contract, compilation, the engine, results and replay."""

if __name__ != "hardmode.sim":
    raise ImportError("sim is a part of hardmode: import hardmode.sim")
