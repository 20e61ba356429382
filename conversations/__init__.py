"""What was said: conversations, their messages, and the files they are imported from."""
