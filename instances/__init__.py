"""Instances: assistants with a memory of their own, and the people who look after them.

::

    urls                         addresses of the screens below
    views forms                  screens: instances, settings, agents, API keys, members, outgoing
                                 connections
    people                       the people screens for superadmins, and password links
    signin                       passwords, second factors, sessions, OpenID Connect, throttling
    access url_state ids         from a request to an instance; roles; the state of lists in URLs
    settings_changes             saving a card of the settings, with what follows from it
    key_rotation                 replacing the encryption key
    outgoing                     the gate for every call that leaves this server
    presets embedding_choice     providers and embedding models
    hooks signals activity       what higher apps answer, learn and record
    models                       instances, people, keys, secrets, circuit breakers
    provider_urls secrets        values and checks without dependencies
    languages constraints        the same
    database middleware          brief connections; middleware made of functions

"""
