"""Compiled code: the cache of machine code, fingerprints, and what hardmode needs of numba."""
