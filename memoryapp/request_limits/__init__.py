"""Limits on the size and speed of requests, checked before Django sees them.

Django writes a whole body to disk before it looks at the URL, the size or the login. So each
request passes here first::

    body_sizes       how many bytes a request may have: 3 MB, and more only at the URLs in its
                     table, for callers with a valid key or session
    application      the ASGI application that counts bytes and time, and refuses requests beyond
                     them
    error_responses  the middleware that answers a refusal in the format of the URL: JSON or a page
"""
