"""What this app tells the rest of the house."""

from django.dispatch import Signal

#: The search language of ``instance`` has changed, inside the transaction that changes it: what
#: is stored must be stemmed anew.
language_changed = Signal()

#: Another embedding model is wanted for ``instance``, whose memories have vectors of the present
#: one: ``choice``, the ``key`` that opens it (or none), and ``by`` whom; in a transaction.
embeddings_wanted = Signal()
