"""What this app tells the rest of the house."""

from django.dispatch import Signal

#: A turn is complete: the assistant's reply, or the end of an import, is stored. Sent with
#: ``conversation``, inside the transaction that stores it, so that a receiver's rows come and go
#: with the reply.
turn_finished = Signal()

#: A file was uploaded and waits for a worker. Sent with ``import_`` once it is committed.
import_queued = Signal()
