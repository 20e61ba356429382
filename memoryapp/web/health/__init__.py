"""The `/memory/health` screen."""
