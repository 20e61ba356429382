"""Golden questions: asking them, and what got better or worse."""
