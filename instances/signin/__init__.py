"""Signing in, and the security of accounts.

django-allauth does the work: passwords, second factors, passkeys, sessions and OpenID Connect. This
package connects it to Keepsake; the screens are `memoryapp.web.sign_in`::

    adapters       allauth's hooks: texts, addresses, encryption, who may sign in
    backends       password checks, limited to as many at once as the machine can take
    throttle       counts failed attempts, and refuses more for a while after too many
    known_browser  the cookie of a browser in which a person has signed in before
    second_factor  the second step of a sign-in; checks codes, each of which works once
    sessions       where a person is signed in, and how to end that
    oidc           OpenID Connect: identity decides who may sign in
    middleware     response headers and cookies: Retry-After, known browser; "last seen"
    checks         system checks of the settings
"""
