"""Execution of background runs, and database locks.

`memoryapp.tasks.sweep` queues the runs of dead workers again; see `instances.models.leased_jobs`.
"""
