"""Bayesian fit of the level of play and of unknown numbers to played games.

The likelihood of the plays is approximated by simulation: games are played at many mistake rates
and in many plausible boxes, and their shares of endings and means of measures are compared with
those of the plays (`simulation`, `likelihood`). Groups of players are partially pooled
(`posterior`). The fit is checked (`goodness_of_fit`), forecasts the scenario
(`posterior_predictive`) and plans the next plays (`next_playtests`).

Example:
    Three of ten plays were won. At one mistake rate 60 of 100 simulated games are won, at another
    30 of 100. The beta-binomial likelihood favours the second rate by a factor of about 5:

    >>> import numpy as np
    >>> from hardmode.studies.playtests.fit.likelihood import dirichlet_multinomial_loglik
    >>> lost_and_won = np.array([7.0, 3.0])
    >>> simulated = np.array([[40.0, 60.0], [70.0, 30.0]])
    >>> loglik = dirichlet_multinomial_loglik(lost_and_won, simulated)
    >>> round(float(np.exp(loglik[1] - loglik[0])), 1)
    5.3
"""

from hardmode.studies.playtests.fit.analysis import FitResult, fit_model

__all__ = ["FitResult", "fit_model"]
