"""What a request may bring, decided before Django sees it.

Django spools a body to the disk whole before it looks at the address, the size or the login. So
each request passes here first::

    admission   how many bytes this request may bring: 3 MB, and more only at the doors in its
                table, for callers who have shown their key or session
    counting    the ASGI application: counts the bytes, watches the clock, and hands a request that
                goes too far back as a refusal
    answers     the middleware that answers a refusal in the form of the address that was asked
"""
