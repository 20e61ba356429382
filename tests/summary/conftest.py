from tests.provided import provider

__all__ = ["provider"]
