"""The list of instances; making, exporting and deleting one."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from conversations.downloads import download
from instances.access import managed_instance, signed_in
from instances.actor import Actor
from instances.models import Instance, MembershipInvitation
from instances.server_activity import ServerAction, record_on_server
from memoryapp.bundle.writing import bundle_of, filename
from memoryapp.models import Activity, MemoryCount
from memoryapp.web.settings.forms.instances import ExportForm, NewInstanceForm


@require_GET
def instances(request: HttpRequest) -> HttpResponse:
    """List the instances that the person may see."""
    request = signed_in(request)
    managed = set(Instance.objects.managed_by(request.user).values_list("pk", flat=True))
    invited = MembershipInvitation.objects.open_for(request.user)
    context = {
        "section": "settings",
        "managed": managed,
        "invitations": invited.select_related("instance", "invited_by"),
    }
    return render(request, "settings/list.html", context)


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create an instance: superadmins may create shared ones, everyone private ones."""
    request = signed_in(request)
    form = NewInstanceForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid() and (made := form.save_if_free()):
        return redirect("welcome_instance", made.slug)
    status = 422 if request.method == "POST" else 200
    return render(
        request, "settings/new.html", {"section": "settings", "form": form}, status=status
    )


@require_http_methods(["GET", "POST"])
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Ask for a passphrase, which may be empty; then stream everything of the instance as one
    file.
    """
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = ExportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        instance.activity.record(Actor(request.user), Activity.Action.BUNDLE_EXPORTED)
        return download(
            request,
            bundle_of(instance, passphrase=form.cleaned_data["passphrase"]),
            name=filename(instance),
            content_type="application/zip",
        )
    status = 422 if request.method == "POST" else 200
    context = {"section": "settings", "form": form}
    return render(request, "settings/export.html", context, status=status)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for confirmation, with the numbers; then delete the instance with everything in it."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    context = {
        "section": "settings",
        "memories": MemoryCount.objects.total(instance),
        "conversations": instance.conversations.count(),
        "wrong": False,
    }
    if request.method == "POST":
        if request.POST.get("slug") == instance.slug:
            name = instance.name
            actor, what = Actor(request.user), ServerAction.INSTANCE_DELETED
            with transaction.atomic():
                record_on_server(actor, what, about=instance.slug, instance=instance)
                instance.delete()
            messages.success(
                request, _("Deleted %(name)s, with everything in it.") % {"name": name}
            )
            return redirect("instances")
        context["wrong"] = True
    return render(request, "settings/delete.html", context, status=422 if context["wrong"] else 200)
