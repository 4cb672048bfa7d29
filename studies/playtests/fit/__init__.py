"""What played games say: how well people play, what the unknown numbers are, and whether the model fits at all."""

from hardmode.studies.playtests.fit.analysis import Fit, fit

__all__ = ["Fit", "fit"]
