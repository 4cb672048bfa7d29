"""Which parts of `numba_engine` are in use with the numba that is installed."""

from __future__ import annotations

import os
from typing import NamedTuple

import numba

from hardmode.sim.messages import warn_once

TESTED = ("0.68.",)  # releases of numba with which all parts were tested
WITHOUT_VARIABLE = "HARDMODE_NUMBA_WITHOUT"  # parts to switch off: names of `Features`, or "all"
CHECK_VARIABLE = "HARDMODE_CHECK_INDICES"


class Features(NamedTuple):
    """The parts of `numba_engine`, each of which can be switched off."""

    linking: bool = True
    uncounted: bool = True
    unwrapped: bool = True
    cached: bool = True
    direct_calls: bool = True


def choose_features(version: str, without: str = "") -> Features:
    """Return the parts to use with a release of numba.

    Args:
        version: The release; an untested one is used without any part.
        without: Names of parts to switch off, with commas between them, or "all".
    """
    switched_off = without.split(",")
    if "all" in switched_off or not version.startswith(TESTED):
        return Features(*(False for _ in Features._fields))
    return Features(**{name: name not in switched_off for name in Features._fields})


FEATURES = choose_features(numba.__version__, os.environ.get(WITHOUT_VARIABLE, ""))

# Refuse indices out of range in all rules and strategies, also negative ones in hardmode's own.
CHECK_INDICES = os.environ.get(CHECK_VARIABLE, "0") not in ("", "0")

if not numba.__version__.startswith(TESTED):
    warn_once(
        f"numba {numba.__version__} was not tested with hardmode (tested: {TESTED[0]}*), so only "
        "its documented functions are used: results are the same, but games are slower, and every "
        "process compiles anew"
    )
