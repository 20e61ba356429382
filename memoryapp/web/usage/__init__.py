"""The `/usage` screen."""
