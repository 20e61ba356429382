"""Limits on the size, the speed and the number of requests.

Django writes a whole body to disk before it looks at the URL, the size or the login. So the size
and the speed of each request are checked before Django sees it::

    body_sizes       how many bytes a request may have: 3 MB, and more only at the URLs in its
                     table, for callers with a valid key or session
    application      the ASGI application that counts bytes and time, and refuses requests beyond
                     them
    shares           the middleware that has a request wait while its holder has its share of slots
    error_responses  the middleware that answers a refusal in the format of the URL: JSON or a page
"""
