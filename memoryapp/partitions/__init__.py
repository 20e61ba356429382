"""The content tables in hash partitions by instance, or with keys for a distributed PostgreSQL.

`keys` rewrites the definition of a key, `catalogue` reads what the database holds, `conversion`
moves it to another form, `placement` tells in which partition the rows of an instance are.
"""
