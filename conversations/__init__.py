"""Conversations, their messages, full-text search, and imports of conversations.

::

    access                       access checks
    messages titles sanitizer    appending messages; titles; making foreign text storable
    search highlight             full-text search; marking the words that were found
    search_functions             its functions in the database
    word_counting word_counts    how frequent words are in a large instance: counted, and read
    word_selection               which texts are worth ranking for a question
    scripts                      scripts without spaces between words
    importers downloads          file formats; files made while they are sent
    upload_storage uploads       uploaded files in the database; deleting abandoned ones
    models                       conversations, messages, imports, counts of words
    bounded_json invisible       limits on JSON; removal of invisible characters
    url_text time_left           text from URLs; an estimate of the time left
    hooks signals                what higher apps answer, and what they are told

"""
