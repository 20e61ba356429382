"""Columns of a special kind."""

from django.db import models


class EncryptedTextField(models.TextField[str, str]):
    """A column of tokens that `instances.secrets.encrypt` has made.

    It stores and returns the token as it is. Its class is how the rotation of the encryption key
    finds the column, so every encrypted value of ours belongs in one.
    """
