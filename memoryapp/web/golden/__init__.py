"""The `/status/golden` screen."""
