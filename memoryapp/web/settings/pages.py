"""The pages of an instance's settings, and the cards on each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from instances.access import managed_instance, signed_in
from instances.models import Instance

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class SettingsPage:
    """One page of the settings."""

    #: Its name in the address.
    name: str
    title: "StrOrPromise"
    #: What it is about, in one sentence.
    about: "StrOrPromise"
    icon: str
    #: Its cards, by the names that their forms are saved under; also their anchors.
    cards: tuple[str, ...]

    def url(self, slug: str) -> str:
        """The address for the instance named *slug*. The first page stands for all settings."""
        if self == PAGES[0]:
            return reverse("instance_settings", args=[slug])
        return reverse("instance_card", args=[slug, self.name])


PAGES = (
    SettingsPage(
        "general",
        _("General"),
        _("Name, time zone and language."),
        "sliders-horizontal",
        ("general", "export", "delete"),
    ),
    SettingsPage(
        "memory",
        _("Memory"),
        _("What is learned from conversations, and what happens to it."),
        "bookmark",
        ("memory", "guidance", "privacy"),
    ),
    SettingsPage(
        "areas",
        _("Never kept"),
        _("Areas of people’s lives that stay out of the memory."),
        "shield",
        ("areas", "own-areas"),
    ),
    SettingsPage(
        "sending",
        _("What models see"),
        _("Hide memories from models that run elsewhere."),
        "eye-off",
        ("sending",),
    ),
    SettingsPage(
        "models",
        _("Models"),
        _("The models that read, answer and search, and what they cost."),
        "cpu",
        ("language-model", "embeddings", "cost"),
    ),
    SettingsPage(
        "assistant",
        _("Assistant"),
        _("How the assistant answers in the chat, and what it is shown."),
        "bot",
        ("assistant", "agents"),
    ),
    SettingsPage(
        "members",
        _("Members"),
        _("Who has access, and what they may do."),
        "users",
        ("members",),
    ),
    SettingsPage(
        "groups",
        _("Groups"),
        _("People and agents that share memories."),
        "users-round",
        ("groups",),
    ),
    SettingsPage(
        "keys",
        _("API keys"),
        _("Access for programs and agents."),
        "key-round",
        ("api-keys",),
    ),
    SettingsPage(
        "webhooks",
        _("Webhooks"),
        _("Notify your programs about memory changes."),
        "webhook",
        ("webhooks",),
    ),
    SettingsPage(
        "holds",
        _("Legal holds"),
        _("What must not be deleted."),
        "lock",
        ("holds",),
    ),
    SettingsPage(
        "retention",
        _("Retention"),
        _("What is deleted after a while."),
        "hourglass",
        ("retention",),
    ),
    SettingsPage(
        "advanced",
        _("Advanced"),
        _("Figures that few people need."),
        "sliders-vertical",
        ("duplicates", "ranking"),
    ),
)

#: The page of each card.
PAGE_OF = {card: page for page in PAGES for card in page.cards}


def pages_of(instance: Instance) -> list[SettingsPage]:
    """The pages that *instance* has: a private one has no members."""
    return [page for page in PAGES if page.name != "members" or not instance.private_to_id]


def card_url(slug: str, card: str) -> str:
    """The address of a card in the settings of the instance named *slug*."""
    return f"{PAGE_OF[card].url(slug)}#{card}"


def form_of(card: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Decorate a view that takes a form of *card* and may answer with the page itself. Its address
    then stays in the browser: a GET of it leads to the card.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @require_http_methods(["GET", "POST"])
        @wraps(view)
        def decorated(request: HttpRequest, slug: str, *args: Any, **given: Any) -> HttpResponse:
            if request.method == "GET":
                return redirect(card_url(managed_instance(signed_in(request), slug).slug, card))
            return view(request, slug, *args, **given)

        return decorated

    return decorate
