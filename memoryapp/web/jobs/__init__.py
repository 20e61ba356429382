"""The `/status/jobs` screen: long work in the background, its progress and its results."""
