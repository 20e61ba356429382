"""The log of a webhook."""
