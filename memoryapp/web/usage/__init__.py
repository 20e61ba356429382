"""The `/status/usage` screen."""
