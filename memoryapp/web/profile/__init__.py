"""The `/memory/profile` screen."""
