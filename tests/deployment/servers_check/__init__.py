"""`make servers-check`: follows `docs/servers.md` by the letter, on machines of its own that
systemd starts, uses what is there as people and programs do, and tries what else the page says.

Not part of `make test`: it takes minutes, and needs root, debootstrap and Debian's packages. The
machines are folders with Debian in them, which run in namespaces: with a network of their own that
leads nowhere, and without an engine for containers.
"""
