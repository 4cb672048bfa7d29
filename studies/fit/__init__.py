"""What played games say: how well people play, what the unknown numbers are, and whether the model fits at all."""

from hardmode.studies.fit.fit import Fit, fit

__all__ = ["Fit", "fit"]
