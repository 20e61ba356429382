"""What each process needs from its start on: environment, size, shares of its threads."""
