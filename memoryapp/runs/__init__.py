"""Execution of background runs, and database locks."""
