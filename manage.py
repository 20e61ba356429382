#!/usr/bin/env python
"""Django's command line for Keepsake."""

from memoryapp.command_line import main

if __name__ == "__main__":
    main()
