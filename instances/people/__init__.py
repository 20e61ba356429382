"""People: who may sign in here. The screens of superadmins at ``/server/people``.

    views      the list, a person, and what superadmins can do about them
    forms      inviting, and adding to an instance
    listing    the rows of the list, and their search
    accounts   what changes an account: invite, deactivate, appoint, delete
    links      the page of a password link, where a person sets their own password

Nobody sets or sees another person's password: a superadmin makes a link, and whoever it is for
opens it.
"""
