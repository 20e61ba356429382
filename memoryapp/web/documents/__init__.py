"""The document store: a list by namespace, search, and one document."""
