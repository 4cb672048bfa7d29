"""Procedures for many tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def benjamini_hochberg(p_values: Sequence[float], error: float) -> list[bool]:
    """Return which of several hypotheses are rejected at a false discovery rate.

    Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57, 289-300. The same
    as `statsmodels.stats.multitest.multipletests(..., method="fdr_bh")`.

    Args:
        p_values: The p-value of each hypothesis.
        error: Expected share of true hypotheses among those rejected, at most.

    Example:
        >>> benjamini_hochberg([0.01, 0.2, 0.04, 0.03], 0.05)
        [True, False, False, False]
    """
    threshold = -1.0
    for rank, p in enumerate(sorted(p_values), 1):
        if p <= error * rank / len(p_values):
            threshold = p
    return [p <= threshold for p in p_values]
