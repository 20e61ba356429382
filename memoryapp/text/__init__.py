"""Text functions without Django, network or database: secrets, excerpts, recalled context."""
