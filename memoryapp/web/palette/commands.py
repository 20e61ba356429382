"""The commands of the palette."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.recall import RecallOptions, recall
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.words import category_name
from memoryapp.web.navigation import entries
from memoryapp.web.settings.pages import pages_of

#: Rows of each kind that are searched for.
MAX_FOUND = 5
#: Shorter texts only choose among the commands.
MIN_SEARCH_CHARACTERS = 2

#: Screens without an entry in the navigation: label, icon and URL name.
MORE_SCREENS = [
    (gettext_lazy("Memory on a day"), "calendar-clock", "past"),
    (gettext_lazy("Saved filters"), "list-filter", "filters"),
    (gettext_lazy("Tags"), "tags", "tags"),
]
#: Forms that add something: label, icon and URL name.
ACTIONS = [
    (gettext_lazy("New memory"), "plus", "memory_new"),
    (gettext_lazy("New note in the palace"), "notebook-pen", "palace_note_new"),
    (gettext_lazy("Import conversations or memories"), "upload", "import_new"),
]
#: Other words for screens and for the pages of the settings.
SYNONYMS = {
    "ask": gettext_lazy("ask memory question recall"),
    "blocked": gettext_lazy("not learned again never"),
    "models": gettext_lazy("language model provider Ollama OpenAI embedding"),
    "members": gettext_lazy("invite share person"),
    "keys": gettext_lazy("connect apps Claude ChatGPT MCP programs"),
    "webhooks": gettext_lazy("events notify programs n8n Zapier"),
    "memory": gettext_lazy("learning privacy palace"),
    "advanced": gettext_lazy("duplicates similarity ranking rerank stale"),
}


@dataclass(frozen=True)
class PaletteCommand:
    """A line of the palette: a link."""

    label: str
    icon: str
    path: str
    #: The key typed after "g".
    key: str = ""
    #: Said in small letters behind the label.
    detail: str = ""
    #: Other words by which people look for it.
    synonyms: str = ""

    def matches(self, words: list[str]) -> bool:
        """True if each of *words* begins a word of the label or of its synonyms."""
        own = f"{self.label} {self.synonyms}".casefold().split()
        return all(any(each.startswith(word) for each in own) for word in words)


@dataclass(frozen=True)
class CommandGroup:
    """Lines of the palette under one heading."""

    label: str
    commands: list[PaletteCommand]


def screens(instance: Instance | None, *, may_manage: bool) -> list[PaletteCommand]:
    """Return links to the screens of *instance*, with its settings if the person *may_manage*."""
    found = [
        PaletteCommand(
            str(view.label),
            entry.icon,
            view.path,
            view.key,
            synonyms=str(SYNONYMS.get(view.name, "")),
        )
        for entry in entries(instance, may_manage=may_manage)
        for view in entry.views
    ]
    if instance:
        found += [
            PaletteCommand(str(label), icon, f"{reverse(url)}?instance={instance.slug}")
            for label, icon, url in MORE_SCREENS
        ]
    if instance and may_manage:
        people = f"{reverse('end_users')}?instance={instance.slug}"
        # The first page of the settings is the one of the navigation.
        found += [
            PaletteCommand(_("People"), "users", people),
            *(
                PaletteCommand(
                    _("Settings: %(page)s") % {"page": page.title},
                    page.icon,
                    page.url(instance.slug),
                    synonyms=str(SYNONYMS.get(page.name, "")),
                )
                for page in pages_of(instance)[1:]
            ),
        ]
    return [
        *found,
        PaletteCommand(
            _("Your account"),
            "circle-user",
            reverse("account"),
            synonyms=_("password language passkeys sessions connect apps Claude ChatGPT"),
        ),
        PaletteCommand(_("All instances"), "layers", reverse("instances")),
    ]


def server() -> list[PaletteCommand]:
    """Return links to the screens of the server, for superadmins."""
    return [
        PaletteCommand(
            _("Admin"),
            "table-2",
            reverse("admin:index"),
            synonyms=_("tables Django database operator"),
        )
    ]


def actions(instance: Instance) -> list[PaletteCommand]:
    """Return links to forms that add something to *instance*, and to its export."""
    query = f"?instance={instance.slug}"
    return [
        *(
            PaletteCommand(str(label), icon, f"{reverse(url)}{query}")
            for label, icon, url in ACTIONS
        ),
        PaletteCommand(
            _("Export memories"),
            "download",
            f"{reverse('memory_export')}{query}&format=jsonl",
            synonyms=_("download backup"),
        ),
    ]


def new_instance() -> PaletteCommand:
    """Return the link to the form for a new instance."""
    return PaletteCommand(_("New instance"), "layers", reverse("instance_new"))


def switches(
    instances: Iterable[tuple[Instance, str]], current: Instance | None
) -> list[PaletteCommand]:
    """Return links to the same screen in the other *instances*."""
    return [
        PaletteCommand(other.name, "arrow-right-left", path)
        for other, path in instances
        if other != current
    ]


def found_memories(instance: Instance, text: str) -> list[PaletteCommand]:
    """Return links to the memories that answer *text*, best first."""
    options = RecallOptions(limit=MAX_FOUND, with_messages=False, columns=["content", "category"])
    hits = recall(instance, text, options).hits
    # Next to the same search, whose panel says why it was found.
    beside = MemoryList(instance, q=text).beside
    return [
        PaletteCommand(
            hit.memory.content,
            "bookmark",
            f"{hit.memory.get_absolute_url()}?{beside}",
            detail=category_name(hit.memory.category),
        )
        for hit in hits
        if hit.memory
    ]


def found_conversations(instance: Instance, text: str) -> list[PaletteCommand]:
    """Return links to the conversations with *text* in their titles, newest first."""
    titled = Conversation.objects.filter(instance=instance, title__icontains=text)
    return [
        PaletteCommand(each.title, "messages-square", reverse("conversation", args=[each.pk]))
        for each in titled.order_by("-pk").only("title")[:MAX_FOUND]
    ]
