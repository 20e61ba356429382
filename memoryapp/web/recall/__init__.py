"""The `/memory/recall` screen."""
