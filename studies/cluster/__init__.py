"""Games played by the workers of a Dask cluster: what travels to them, what they do, and who hands it out.

A worker is sent plain values and the source of files that the user named, and never pickled code. It plays with what is
installed there, and says no where that is not what is installed here.
"""
