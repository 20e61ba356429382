"""The `/status/health` screen."""
