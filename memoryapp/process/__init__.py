"""Ground of each process: environment, size, pauses after outages, shares of its threads."""
