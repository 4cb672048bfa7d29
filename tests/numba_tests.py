"""Runs some of numba's own tests in a process that has played a game with hardmode (`make numba-tests`)."""

import sys
import unittest

import hardmode

MODULES = [
    "numba.tests.test_parfors.TestParforNumPy",
    "numba.tests.test_event",
    "numba.tests.test_record_dtype",
    "numba.tests.test_dispatcher",
]


def main() -> int:
    hardmode.play("trapwords/standard", games=100)
    suite = unittest.defaultTestLoader.loadTestsFromNames(MODULES)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
