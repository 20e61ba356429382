"""The screens for superadmins at ``/server/people``, and the page of a password link.

No screen sets or shows another person's password: a superadmin makes a link, and the person opens
it.
"""
