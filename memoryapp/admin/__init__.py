"""Django's admin at ``/admin/``, for superadmins: every table that tells an operator something.

It follows the rules of the screens. `base` limits each table to the instances that the person may
see, and `columns` is the one exit through which values leave: text masked and cut, secrets never.
All pages only read; what changes something calls the verb that the screens call (`actions`), or
opens the screen that does it. So Django's forms, its deletion and its log are not used.
"""
