"""Signals of this app; see `hooks` for questions that need an answer."""

from django.dispatch import Signal

#: The search language of ``instance`` has changed, inside the transaction that changes it: the
#: search columns of all that is stored must be rewritten.
language_changed = Signal()

#: The language model of ``instance``, or its address, has changed, inside the transaction that does
#: it.
model_changed = Signal()

#: Something was done to ``instance`` that the activity log records: ``by`` an
#: `instances.actor.Actor`, ``action``, an `instances.activity.InstanceAction`, and ``about``, the
#: name of its object. Sent inside the transaction that does it.
instance_changed = Signal()

#: Something was done on the server that the audit log records: ``by`` an `instances.actor.Actor`,
#: ``action``, an `instances.server_activity.ServerAction`, ``about``, the name of its object, and
#: the ``instance`` if it was done to one as a whole. Sent inside the transaction that does it.
server_changed = Signal()

#: A migration has made a table, inside its transaction: ``connection`` is its database.
table_made = Signal()
