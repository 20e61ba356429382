"""Code of the ``manage.py`` commands."""
