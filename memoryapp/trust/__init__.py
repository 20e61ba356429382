"""Influence of sources on the memory: review of held statements, refused proposals, and the
rollback of a source.
"""
