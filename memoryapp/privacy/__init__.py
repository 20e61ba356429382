"""Secrets and personal data in texts: found, masked, and left out of excerpts. Pure."""
