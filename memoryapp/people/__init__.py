"""A person's file: what is kept about an end user, its export and its erasure, and ids that turned
out to be the same person.

`inventory` lists the tables; all else follows it.
"""
