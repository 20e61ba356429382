"""The screens of signing in, and of one's own account; see `instances.signin`.

``urls`` has the pages that exist; all other pages of allauth are a 404. ``forms`` are allauth's,
with our labels, and count failed attempts.
"""
