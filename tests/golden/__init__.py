"""Golden questions."""
