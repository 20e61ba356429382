"""The rules of what must not be learned again, and how a deleted fact is recognised; of what is not
kept (`sensitivity`), and of which model may see what (`sending`).

A deleted memory leaves a suppressed statement on each message that states it. The message is muted:
only people see its text, in the transcript. If it had been read, it gives no more facts, however
often it is read again and however the model words them. On request the memory also leaves a rule
that recognises the fact in any message, in this wording or a similar one. Neither contains a word
of its text.

A person who adds a suppressed fact by hand is told of the rule, and may lift it.
`memoryapp.forgetting` leaves and lifts them.
"""
