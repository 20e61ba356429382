"""The `/memory/palace` screen: what was said, word for word, by subject, conversation and topic.

::

    listing   what the address says: where one is, what is searched for
    tree      the way there: wings, their rooms, their closets
    drawers   what is filed there, page by page, or what a question finds
    screen    the views that show all this
"""
