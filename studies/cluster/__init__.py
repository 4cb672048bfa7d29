"""Execution of games by the workers of a Dask cluster.

Workers receive plain values, and the source of files that the user named, but never pickled code.
A worker plays with the hardmode that is installed there, and refuses if that differs from the
version of the client.
"""
