"""The app served with a scripted provider, for tests that speak `/v1`."""

from tests.api.v1.conftest import address, assisted
from tests.provider_fixtures import provider

__all__ = ["address", "assisted", "provider"]
