"""The `/activity` screen."""
