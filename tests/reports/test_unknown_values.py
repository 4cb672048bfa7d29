"""What is not known is told as unknown, never as nan."""

from math import inf, nan

import numpy as np
import pytest

from hardmode.reports.console import uncertainty
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.band import estimate_band

UNKNOWN = [Estimate(nan, nan, nan, 0), Estimate(nan, 0.0, 1.0, 0), Estimate(nan, -inf, inf, 0),
           Estimate(0.5, -inf, inf, 9)]


@pytest.mark.plain
@pytest.mark.parametrize("kind", formatting.VALUE_FORMATTERS)
@pytest.mark.parametrize("e", UNKNOWN)
def test_no_estimate_is_written_as_nan(e, kind):
    text = formatting.format_with_interval(e, kind)
    assert "unknown" in text or "0.0 .. 1.0" in text or "0 .. " in text
    assert "nan" not in text and "inf" not in text


@pytest.mark.plain
def test_no_share_is_written_as_nan():
    assert formatting.format_share(nan) == "unknown"
    assert formatting.format_share_interval(nan, nan, nan) == "unknown"


@pytest.mark.plain
def test_where_no_box_differs_from_another_knowing_a_number_narrows_nothing():
    """As in a game whose assumed numbers move no win rate: no share of the variance is known."""
    band = estimate_band(np.full((30, 2), 0.5), 50, 0.95)
    same = {percent: estimate.value for percent, estimate in band.percentiles.items()}
    assert band.narrow(nan) == same
    assert "nan" not in uncertainty.format_band_ends(band.narrow(nan))
