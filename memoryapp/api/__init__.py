"""The doors for programs: thin, each a call into the same code as the screens."""
