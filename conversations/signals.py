"""Signals that this app sends to higher apps."""

from django.dispatch import Signal

#: A turn is complete: the assistant's reply, or the end of an import, is stored. Sent with
#: ``conversation``, inside the transaction that stores it, so that a receiver's rows are stored
#: only with the reply.
turn_finished = Signal()

#: A file waits for a worker, to be checked or imported. Sent with ``import_`` after the commit.
import_waiting = Signal()
