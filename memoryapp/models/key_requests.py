"""Outcomes of the latest requests with each API key, so that people see whether a client works.

A row says when, through which door, by which client, for whom, and how much was kept. It never
holds a text of the request.
"""

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

from django.db import models
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.sanitizer import sanitize
from instances.constraints import allow_values
from instances.models import ApiKey, Instance
from instances.models.content_keys import InstanceContent

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: Days for which a request is listed, and how many of each key.
LOG_DAYS = 30
MAX_OF_KEY = 200
#: The code of the refusal of a request without a person, with a key that requires one.
PERSON_REQUIRED = "person_required"
#: Characters of the name that a client gives itself.
MAX_CLIENT = 60


class RequestDoor(models.TextChoices):
    """The interface through which a request came."""

    CHAT = "v1", "/v1"
    REST = "rest", "REST"
    MCP = "mcp", "MCP"
    MEM0 = "mem0", "mem0"


class RequestRemark(models.TextChoices):
    """Why nothing of a request was kept, or was not learned from."""

    NONE = "", ""
    CLIENT_TASK = "client_task", _("the client’s own task")
    STORE_FALSE = "store_false", _("the client said store: false")
    NO_PERSON = "no_person", _("refused: it named no person")
    MEMORY_OFF = "memory_off", _("not learned from: memory is off")
    NOTHING_NEW = "nothing_new", _("nothing new")
    HELD = "held", _("left out, or held for review")


class KeyRequestQuerySet(models.QuerySet["KeyRequest"]):
    def note(
        self,
        key: ApiKey | None,
        door: RequestDoor,
        *,
        client: str,
        end_user: str,
        kept: int = 0,
        remark: str = "",
    ) -> None:
        """Add a request; without a *key*, as from a person on a screen, nothing."""
        if key is None:
            return
        self.create(
            instance_id=key.instance_id,
            key=key,
            door=door,
            client=client_name(client),
            end_user=sanitize(end_user).strip()[:200],
            kept=kept,
            remark=remark or ("" if kept else RequestRemark.NOTHING_NEW),
        )

    def unkept(self) -> "list[tuple[int, StrOrPromise]]":
        """How many requests were not kept or learned from, by the reason, the most first."""
        rows = self.order_by().exclude(remark="").values_list("remark")
        counts = rows.annotate(number=models.Count("pk")).order_by("-number", "remark")
        return [(number, RequestRemark(remark).label) for remark, number in counts]

    def delete_old(self) -> int:
        """Delete what is older than `LOG_DAYS`, and all but the latest `MAX_OF_KEY` of each key."""
        place = Window(RowNumber(), partition_by=F("key"), order_by=F("pk").desc())
        more = self.order_by().annotate(place=place).filter(place__gt=MAX_OF_KEY)
        deleted = self.filter(pk__in=list(more.values_list("pk", flat=True))).delete()[0]
        return deleted + self.old().delete()[0]

    def old(self) -> Self:
        return self.filter(at__lt=timezone.now() - timedelta(days=LOG_DAYS))


class KeyRequest(InstanceContent):
    """One request with a key that might have been kept."""

    Door: TypeAlias = RequestDoor
    Remark: TypeAlias = RequestRemark

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="key_requests")
    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="requests")
    at = models.DateTimeField(default=timezone.now)
    door = models.CharField(max_length=10, choices=RequestDoor)
    #: What the client calls itself, such as ``OpenAI/Python 3.3.0``.
    client = models.CharField(max_length=MAX_CLIENT, blank=True)
    end_user = models.CharField(max_length=200, blank=True)
    #: How many messages or memories were stored.
    kept = models.PositiveIntegerField(default=0)
    remark = models.CharField(max_length=20, choices=RequestRemark, blank=True)

    objects = KeyRequestQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            allow_values("door", RequestDoor, "key_request_door"),
            allow_values("remark", RequestRemark, "key_request_remark"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["key", "-id"], name="key_request_list"),
            models.Index(fields=["at"], name="key_request_age"),
        ]

    def __str__(self) -> str:
        return f"request {self.pk} with key {self.key_id}"


def client_name(user_agent: str) -> str:
    """Return what a client calls itself in the header *user_agent*, in short: the first product of
    it, with its version.
    """
    words = sanitize(user_agent).split()
    name: list[str] = []
    for word in words[:4]:
        if word.startswith("("):
            break
        name.append(word)
        if "/" in word and name[0] != "Mozilla/5.0" and any(c.isdigit() for c in word):
            break
    return " ".join(name)[:MAX_CLIENT]
