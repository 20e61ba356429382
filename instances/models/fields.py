"""Model fields."""

from django.db import models


class EncryptedTextField(models.TextField[str, str]):
    """A column of tokens from `instances.secrets.encrypt`.

    It stores and returns the token unchanged. Key rotation finds columns by this class, so all our
    encrypted values must be in such columns.
    """
