"""Attacks on a running Keepsake, and what others notice of them while they last.

- ``target``: the server that is attacked, with two people in it who have nothing in common
- ``provider``: a language model's server that answers in every wrong way
- ``attacks``: what the hostile person, or a stranger, does
- ``watching``: how long others wait meanwhile

Everything happens on loopback, against a server of its own, and is bounded in number and time.
"""
