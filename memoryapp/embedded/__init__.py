"""PostgreSQL and a Redis-compatible server, started from Python packages for the zero-setup run.

Nothing here knows Django: settings import this package to learn where the servers will be.
"""
