"""The `/chat` screen."""
