"""Builds the text that a model is shown from ranked memories, relations and the summary."""
