from tests.provided import provider, quick_passwords

__all__ = ["provider", "quick_passwords"]
