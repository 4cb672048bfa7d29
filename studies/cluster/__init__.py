"""Execution of games by the workers of a Dask cluster.

Dask schedules the tasks, repeats those that fail, and sends those of a dead worker to others.
These modules say what to play: `engine_spec` describes an engine by plain values, `worker` plays
on a worker, `connection` holds Dask's client, and `backend` divides games into tasks.
"""
