"""The command palette: a dialog on every screen, and a page of its own without JavaScript."""

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from conversations.url_text import question
from instances.access import Request, signed_in, visible_instance
from instances.models import Instance, InstanceRole
from memoryapp.web.layout import show
from memoryapp.web.navigation import in_instances
from memoryapp.web.palette.commands import (
    MIN_SEARCH_CHARACTERS,
    CommandGroup,
    actions,
    found_conversations,
    found_memories,
    new_instance,
    screens,
    server,
    switches,
)


@require_GET
def palette(request: HttpRequest) -> HttpResponse:
    """List the commands that match the text, and what is found for it."""
    person = signed_in(request)
    slug = request.GET.get("instance", "")
    instance = visible_instance(person, slug) if slug else None
    text = question(request.GET.get("q", ""))
    context = {"groups": _groups(person, instance, text), "text": text, "instance": instance}
    return show(person, "palette/page.html", "palette/_groups.html", context)


def _groups(request: Request, instance: Instance | None, text: str) -> list[CommandGroup]:
    role = instance.role_of(request.user) if instance else None
    visible = list(Instance.objects.visible_to(request.user))
    others = in_instances(request.user, visible, _screen_behind(request))
    commands = [
        CommandGroup(_("Go to"), screens(instance, may_manage=role == InstanceRole.MANAGER)),
        CommandGroup(_("Create"), [new_instance()]),
        CommandGroup(_("Switch instance"), switches(others, instance)),
    ]
    if instance and role in InstanceRole.MEMBER.and_above:
        commands[1].commands[:0] = actions(instance)
    if request.user.is_superuser:
        commands[0].commands.extend(server())
    words = text.casefold().split()
    groups = [
        CommandGroup(group.label, [each for each in group.commands if each.matches(words)])
        for group in commands
    ]
    if instance and len(text) >= MIN_SEARCH_CHARACTERS:
        groups += [
            CommandGroup(_("Memories"), found_memories(instance, text)),
            CommandGroup(_("Conversations"), found_conversations(instance, text)),
        ]
    return [group for group in groups if group.commands]


def _screen_behind(request: Request) -> ResolverMatch | None:
    """Return the screen over which the dialog is open."""
    path = request.htmx.current_url_abs_path
    try:
        return resolve(path.partition("?")[0]) if path else None
    except Resolver404:
        return None
