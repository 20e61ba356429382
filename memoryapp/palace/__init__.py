"""The palace: messages, verbatim, by subject, conversation and topic.

::

    placed messages ─ file_messages ─ wing ─ room ─ closet ─ drawer ─┬─ search_text ─ tsvector
                                                                     └─ vectors

``filing`` puts messages into drawers, in the caller's transaction; `memoryapp.mining` decides into
which. ``search_text`` writes the words by which a drawer is found. ``deletion`` deletes drawers so
that mining does not bring them back, ``reorganisation`` renames and merges places, with a preview,
and ``notes`` are drawers that people write.
"""
