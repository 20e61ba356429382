"""The groups of an instance: making, changing and removing them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from instances.access import managed_instance, signed_in
from instances.actor import Actor
from instances.models import Group
from memoryapp.people.groups import (
    GroupMembers,
    GroupRefused,
    change_group,
    create_group,
    remove_group,
)
from memoryapp.web.settings.forms.groups import GroupForm, NewGroupForm
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import render_page


@form_of("groups")
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a group, and show its page, where it gets its members."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = NewGroupForm(request.POST, prefix="group")
    if form.is_valid():
        given = form.cleaned_data
        try:
            group = create_group(
                instance,
                given["name"],
                GroupMembers(),
                end_user=given["end_user"],
                by=Actor(request.user),
            )
        except GroupRefused as error:
            form.add_error(None, str(error))
        else:
            return redirect("group_edit", slug, group.pk)
    return render_page(request, instance, PAGE_OF["groups"], status=422, groups_form=form)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change the name and the members of a group."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    group = get_object_or_404(Group.objects.select_related("instance"), pk=pk, instance=instance)
    name = group.name
    form = GroupForm(request.POST or None, instance=instance, initial=GroupForm.initial_of(group))
    if request.method == "POST" and form.is_valid():
        try:
            change_group(group, form.cleaned_data["name"], form.members, by=Actor(request.user))
        except GroupRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Saved %(name)s.") % {"name": group})
            return redirect(card_url(slug, "groups"))
    context = {"section": "settings", "page": PAGE_OF["groups"], "form": form}
    context |= {"name": name, "group": group}
    status = 422 if request.method == "POST" else 200
    return render(request, "settings/group.html", context, status=status)


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a group; its memories stay."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    group = get_object_or_404(Group.objects.select_related("instance"), pk=pk, instance=instance)
    remove_group(group, by=Actor(request.user))
    messages.success(
        request,
        _("Removed %(name)s. Its memories stay under the id “%(id)s”.")
        % {"name": group, "id": group.shared_id},
    )
    return redirect(card_url(slug, "groups"))
