"""Decisions about statements, as pure functions: duplicates, keyed facts, signatures."""
