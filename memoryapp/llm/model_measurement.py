"""Measures the models of an instance, and keeps what they can do."""

from datetime import timedelta

from django.utils import timezone

from instances.models import Instance
from instances.secrets import UnreadableSecret
from memoryapp.providers.configured import assistant_endpoint, chat_endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.measuring import measure

#: Seconds after which a measurement that has not ended counts as lost.
MAX_SECONDS = 600.0


def begin(instance: Instance) -> bool:
    """Note that the models of *instance* are to be measured; False if that is under way, or if
    there is none.
    """
    lost = timezone.now() - timedelta(seconds=MAX_SECONDS)
    free = Instance.objects.filter(pk=instance.pk).exclude(measuring_since__gt=lost)
    return instance.has_language_model and bool(free.update(measuring_since=timezone.now()))


def is_under_way(instance: Instance) -> bool:
    """True if the models of *instance* are being measured."""
    since = instance.measuring_since
    return since is not None and timezone.now() - since < timedelta(seconds=MAX_SECONDS)


def measure_models(instance: Instance) -> None:
    """Measure the models that answer and read for *instance*, and keep the results. A model that
    does not answer is left unmeasured: calls to it report why.
    """
    abilities = {}
    try:
        for endpoint in dict.fromkeys([chat_endpoint(instance), assistant_endpoint(instance)]):
            if endpoint is not None:
                abilities[endpoint.model] = measure(endpoint).as_dict()
    except (ProviderError, UnreadableSecret):
        pass
    finally:
        Instance.objects.filter(pk=instance.pk).update(
            model_abilities=abilities, measuring_since=None
        )
