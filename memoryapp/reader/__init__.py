"""Facts from messages by rules and a small classifier, without a language model. Pure.

::

    message ─ sentences ─ statement ─ dates ─ slots ─ classifier ─ person ─ Fact
              what its    about its   real    key,    worth        third
              author says author?     ones    value   keeping?     person

Precision goes before recall: what is not sure is left out. The words, patterns and verb forms of
each language are in `languages`.
"""

from memoryapp.reader.reader import Fact, Spoken, is_statement, read

__all__ = ["Fact", "Spoken", "is_statement", "read"]
