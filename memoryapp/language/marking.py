"""Marks texts for translation in modules that do not import Django. Pure."""


def gettext_noop(text: str) -> str:
    """Mark *text*, so that it is extracted for translation, and return it as it is."""
    return text
