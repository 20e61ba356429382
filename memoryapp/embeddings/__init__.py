"""Embeddings: creating vectors, filling in missing ones, changing the model, indexes."""
