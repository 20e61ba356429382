"""The content tables in hash partitions by instance, or with keys for a distributed PostgreSQL.

`keys` rewrites the definition of a key, `catalogue` reads what the database holds, `conversion`
moves it to another form. `instances.partitions` tells where the rows of an instance are.
"""
