"""Errors of clusters."""


class ClusterError(Exception):
    """A cluster cannot be reached, or cannot play the games."""


class DifferentCodeError(ImportError):
    """This worker has other code than the client, and would not play the same games."""
