"""The gate for every call that leaves this server.

- ``policy``: which addresses may be connected to, as a pure decision
- ``current_policy``: the policy in force, from the environment and the database
- ``requests_session``: the same for libraries that call through ``requests``
- ``transport``: HTTP through the gate: checked addresses, no redirects, limits on bytes and time
- ``client``: an HTTP client whose requests carry their limits
"""
