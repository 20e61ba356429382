"""Filters of the memory list that people save for themselves."""

from typing import ClassVar
from urllib.parse import parse_qsl

from django.db import models
from django.urls import reverse
from django.utils import timezone

from instances.models import Instance, User
from instances.models.content_keys import InstanceContent


class SavedFilter(InstanceContent):
    """A saved state of the memory list, visible only to its user."""

    #: Saved filters per person and instance.
    MAX_PER_PERSON = 20

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="saved_filters")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_filters")
    name = models.CharField(max_length=60)
    #: The query of the URL without instance and page.
    query = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["name", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["instance", "user", "name"], name="saved_filter_name_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('memories')}?instance={self.instance.slug}&{self.query}"

    @property
    def text(self) -> str:
        """Name of the filter and the values of its conditions, a line each."""
        return "\n".join([self.name, *(value for _, value in parse_qsl(self.query))])
