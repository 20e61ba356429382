"""Model fields."""

from django.db import models


class EncryptedTextField(models.TextField[str, str]):
    """A column of tokens from `instances.secrets.encrypt`.

    It stores and returns the token unchanged. Key rotation finds columns by this class, so every
    encrypted value of ours belongs in one.
    """
