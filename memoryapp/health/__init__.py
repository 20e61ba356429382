"""The condition of an instance and its servers: figures, duplicates, recommendations, metrics."""
