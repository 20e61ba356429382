"""Keeping the store in good order."""
