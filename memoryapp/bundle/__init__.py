"""Everything of an instance as one file, which comes back as an instance of another server.

docs/bundle.md describes the file. `tables` lists what is in it.
"""
