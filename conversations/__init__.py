"""What was said: conversations, their messages, and the files they are imported from.

::

    urls views imports       screens of conversations and imports
    access accounts marks    what a person may see, and what became of each message
    turns uploads            storing messages; clearing up after uploads
    search url_text          full-text search, and the query for a question; text from URLs
    models                   conversations, messages, imports
    bounded_json invisible   limits on JSON, and removal of invisible characters
    signals

"""
