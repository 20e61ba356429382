"""Who remembers: assistants with a memory of their own, and the people who look after them."""
