"""The guide for the first start."""
