"""The accounts of people, and the screens for superadmins at ``/server/people``.

    views      the list, the page of a person, and actions on an account
    forms      inviting a person, and adding them to an instance
    listing    the rows of the list, and search
    accounts   changes to accounts: invite, deactivate, appoint, delete
    links      the page of a password link, where a person sets their own password

No screen sets or shows another person's password: a superadmin makes a link, and the person opens
it.
"""
