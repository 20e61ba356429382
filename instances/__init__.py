"""Who remembers: assistants with a memory of their own, and the people who look after them.

::

    urls views key_views         screens of instances: settings, keys, agents
    members                      members and invitations
    connection_views             the screen for outgoing connections
    forms connection_forms       their forms
    people                       the people screens for superadmins, and password links
    signin                       passwords, second factors, sessions, OpenID Connect, throttling
    access                       from a request to an instance; roles
    saving rotation              saving settings; rotating the encryption key
    outgoing                     the gate for every call that leaves this server
    connecting presets embedding agents, providers and embedding models that Keepsake knows
    models                       instances, people, keys, secrets, circuit breakers
    addresses secrets languages  values and checks without dependencies
    constraints database signals

"""
