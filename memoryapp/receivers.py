"""What follows from what happens below: the only signal handlers of the house."""

from typing import Any

from django.dispatch import receiver

from conversations.models import Conversation, Import, Message
from conversations.signals import import_waiting, turn_finished
from instances.models import ExtractWhen, Instance
from instances.signals import language_changed
from memoryapp.extraction import reading
from memoryapp.models import Memory
from memoryapp.tasks import hand_over_import, hand_over_on_commit


@receiver(turn_finished)
def queue_run(sender: type, *, conversation: Conversation, **kwargs: Any) -> None:
    """Queue a run in the transaction that stores the reply, and tell a worker once it is there."""
    instance = conversation.instance
    if not instance.memory_enabled or instance.extract_when != ExtractWhen.AFTER_RESPONSE:
        return
    run = reading.queue(conversation)
    if run is not None:
        hand_over_on_commit(run)


@receiver(import_waiting)
def take_up(sender: type, *, import_: Import, **kwargs: Any) -> None:
    """Tell a worker of a file that waits."""
    hand_over_import(import_.pk)


@receiver(language_changed)
def stem_anew(sender: type, *, instance: Instance, **kwargs: Any) -> None:
    """Rewrite the search columns of all that the instance holds."""
    Message.objects.filter(instance=instance).update(language=instance.language)
    Memory.objects.in_instance(instance).update(language=instance.language)
