"""Typed answers from language models."""
