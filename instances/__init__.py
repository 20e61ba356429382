"""Who remembers: assistants with a memory of their own, and the people who look after them.

::

    urls views key_views         the screens of instances: settings, keys, members, agents
    connection_views             the screen of the servers that may be called
    forms connection_forms       their forms
    people                       the screens of superadmins about people, and password links
    signin                       passwords, second factors, sessions, OpenID Connect, throttling
    access                       from a request to an instance, and what may be done there
    members saving rotation      what changes instances, settings and the encryption key
    outgoing                     the gate for every call that leaves this server
    connecting presets embedding what is known of agents, providers and embedding models
    models                       instances, people, keys, secrets, circuit breakers
    addresses secrets languages  values and checks that need nothing else
    constraints database signals

"""
