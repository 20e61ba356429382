"""The `/memory/graph` screen."""
