"""What was said: conversations, their messages, and the files they are imported from.

::

    urls views imports       the screens of conversations and imports
    access accounts marks    what a person may see of them, and what became of each message
    turns uploads            the way in for what is said, and for files
    search                   full text, and the query that a question becomes
    models                   conversations, messages, imports
    bounded_json invisible   limits for JSON and for characters that nobody sees
    signals

"""
