"""What this app tells the rest of the house."""

from django.dispatch import Signal

#: The search language of ``instance`` has changed, inside the transaction that changes it: what
#: is stored must be stemmed anew.
language_changed = Signal()
