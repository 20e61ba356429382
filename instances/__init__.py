"""Instances, the people who use them, and the gate for outgoing calls.

::

    signin                       passwords, second factors, sessions, OpenID Connect, throttling
    oauth                        apps that people connect, and their tokens
    accounts                     changes to accounts: invite, deactivate, appoint, delete
    access url_state ids         access checks and roles; list state in URLs; parsing of ids
    keyset_pages                 pages of long lists
    last_instance                the instance that a person looked at last
    actor activity               who makes a change, and recording it in the activity log
    server_activity              what people do on the server, for the audit log
    tiers                        how far a statement is believed, by where it comes from
    key_rotation                 replacing the encryption key
    outgoing                     the gate for every call that leaves this server
    presets embedding_choice     known providers; the embedding model as one value
    hooks signals                what higher apps answer, and what they are told
    models                       instances, people, keys, apps, webhooks, secrets, circuit
                                 breakers; the foreign keys between rows of one instance
    provider_urls secrets        addresses of providers; encryption
    interface_language           the language of the screens, as a person or the browser asks
    translatable                 texts that workers make, and screens show in the reader's language
    languages constraints        languages of the full-text search; constraints of the tables
    database middleware          short-lived connections; middleware made of functions
    partitions postgresql        in which partition the rows of an instance are; Django's backend
    management                   the command ``reset_second_factor``

"""
