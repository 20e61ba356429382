"""PostgreSQL and a Redis-compatible server, started from Python packages for the zero-setup run.

Nothing here imports Django: the settings import this package for the servers' addresses.
"""
