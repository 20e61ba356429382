"""The narrative of a person: all that is remembered of them, told in a few sentences.

::

    memories of one person ─ prompt ─ provider ─ text ─ Summary ─ the chat's system message

It is written anew after a reading that learned something, once for all that was learned, and after
memories have been deleted or corrected, which take its words away at once.
"""
