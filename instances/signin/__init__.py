"""How people sign in, and how they keep their account safe.

django-allauth does the work: passwords, second factors, passkeys, sessions and OpenID Connect. What
is here joins it to Keepsake::

    urls        the pages that exist; allauth's others are a 404
    views       the account page, and the forms that it posts to
    adapters    what allauth asks Keepsake: words, addresses, encryption, who may come in
    backends    checks a password, and no more of them at once than the machine can take
    throttle    counts failed attempts and says how long to wait
    sessions    where a person is signed in, and how that ends
    middleware  what each response needs: Retry-After, the cookie of a known browser, "last seen"
"""
