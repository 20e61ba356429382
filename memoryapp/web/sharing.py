"""Sharing of a conversation or a note with a group, on its screen: a manager shares it, others
propose it.
"""

from typing import Any

from django.contrib import messages
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from instances.access import Request
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import InstanceRole
from instances.models.groups import group_names
from memoryapp.models import Drawer
from memoryapp.pipeline import Rejected
from memoryapp.trust.sharing import (
    Shareable,
    groups_to_tell,
    propose_to_tell,
    share,
    stop_sharing,
)


def sharing_context(row: Shareable) -> dict[str, Any]:
    """The template context of the group with which *row* is shared, or of those that it can be
    shared with.
    """
    shared = row.shared_with
    name = None if shared is None else group_names(row.instance).get(shared, shared)
    return {"groups": groups_to_tell(row), "group": name}


def undo_address(row: Shareable, query: str = "") -> str:
    """The address to which a form is sent that ends the sharing of *row*."""
    is_note = isinstance(row, Drawer)
    url = reverse("palace_note_unshare" if is_note else "conversation_unshare", args=[row.pk])
    return f"{url}?{query or f'instance={row.instance.slug}'}"


def share_or_propose(request: Request, row: Shareable, *, query: str = "") -> None:
    """Share *row* with the group that was chosen; the undo leads to the page of *query*."""
    group = get_object_or_404(groups_to_tell(row), pk=parse_pk(request.POST.get("group", "")))
    by = Actor(request.user)
    try:
        if row.instance.role_of(request.user) == InstanceRole.MANAGER:
            share(row, group, by=by)
            text = _("Shared with %(name)s.")
            undo = undo_address(row, query)
            messages.success(request, text % {"name": group}, extra_tags=undo)
        else:
            propose_to_tell(row, group, by=by)
            text = _("A manager decides under Review whether %(name)s is told.")
            messages.success(request, text % {"name": group})
    except Rejected as error:
        messages.warning(request, _("Not shared. %(problem)s") % {"problem": error})


def end_sharing(request: Request, row: Shareable) -> None:
    """Have the group told *row* no longer."""
    if stop_sharing(row, by=Actor(request.user)):
        messages.success(request, _("No longer shared."))
