from tests.provider_fixtures import provider

__all__ = ["provider"]
