"""The import screens: upload of a file, preview, confirmation, progress."""

from decimal import Decimal
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from conversations import hooks
from conversations.models import Import
from conversations.signals import import_waiting
from instances.access import Request, needs, signed_in, visible_instance, visible_row
from instances.models import Instance, InstanceRole

#: Imports that the screen lists.
MAX_LISTED_IMPORTS = 10


#: The help for memories. Files of both kinds are recognised wherever they are uploaded.
MEMORIES_HELP = (
    "Memories as JSONL or CSV, mem0’s export, OpenMemory’s backup (the zip as it came), or the "
    "memory.jsonl of the MCP memory server. You see what is in it before anything comes in."
)


class ImportForm(forms.Form):
    """A file to import."""

    file = forms.FileField(
        label="File",
        help_text="The export of ChatGPT or Claude (the zip as it came), LoCoMo-format JSON, JSONL "
        "with one message a line, or memories: as JSONL or CSV, or from mem0, OpenMemory or the "
        "MCP memory server. You see what is in it before anything comes in.",
    )

    restores_tiers = forms.BooleanField(
        label="This is an export of a Keepsake that I trust",
        required=False,
        help_text="Each memory gets back the trust that it had. Otherwise all count as text of a "
        "document: what people and users have said is not changed by them.",
    )

    def __init__(self, *args: Any, kind: str = "", may_manage: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_manage:
            del self.fields["restores_tiers"]
        if kind == Import.Kind.MEMORIES:
            self.fields["file"].help_text = MEMORIES_HELP
        # Checked before the upload, which may take long.
        self.fields["file"].widget.attrs["data-most-bytes"] = settings.MAX_UPLOAD_MB << 20

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if file.size and file.size > settings.MAX_UPLOAD_MB << 20:
            raise forms.ValidationError(
                f"The file has {filesizeformat(file.size)}, and at most {settings.MAX_UPLOAD_MB:,} "
                "MB are taken. Split it, or set MAX_UPLOAD_MB higher."
            )
        return file


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def upload(request: HttpRequest) -> HttpResponse:
    """Store the uploaded file, and have a worker check it."""
    request = signed_in(request)
    instance = visible_instance(request, request.GET.get("instance", ""))
    kind = request.GET.get("kind", "")
    may_manage = request.role == InstanceRole.MANAGER
    form = ImportForm(request.POST or None, request.FILES or None, kind=kind, may_manage=may_manage)
    if request.method == "POST" and form.is_valid():
        import_ = _upload(instance, request, form, kind)
        if import_ is not None:
            return redirect(import_)
    context = {
        "section": "memory" if kind == Import.Kind.MEMORIES else "conversations",
        "form": form,
        "kind": kind,
        "imports": instance.imports.defer("skipped")[:MAX_LISTED_IMPORTS],
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "conversations/import_new.html", context, status=status)


@require_GET
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the state of an import: its preview, its progress or its result."""
    request = signed_in(request)
    import_ = _visible(request, pk)
    template = "conversations/_import.html" if request.htmx else "conversations/import.html"
    unread = waiting = 0
    if import_.is_over and not import_.is_of_memories:
        unread, waiting = hooks.unread_and_waiting(import_.brought.all())
    context = {
        "section": "memory" if import_.is_of_memories else "conversations",
        "import": import_,
        "cost": cost(import_),
        "unread": unread,
        "waiting": waiting,
    }
    if import_.is_of_memories and import_.state == Import.State.READY:
        fate, page = request.GET.get("show", ""), request.GET.get("page", "")
        context |= hooks.import_preview(import_, fate, page)
    return render(request, template, context)


@require_POST
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the file looked through anew, with rows that replace memories or without."""
    import_ = _visible(request, pk)
    with transaction.atomic():
        if import_.look_again(keep_apart=request.POST.get("rows") != "replace"):
            transaction.on_commit(partial(import_waiting.send, sender=Import, import_=import_))
    return redirect(import_)


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm an import, and have its conversations read for facts if the person wants that."""
    import_ = _visible(request, pk)
    read = request.POST.get("read") == "yes" and import_.instance.can_read
    with transaction.atomic():
        if import_.confirm(read=read):
            transaction.on_commit(partial(import_waiting.send, sender=Import, import_=import_))
    return redirect(import_)


@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop an import, wherever it is."""
    import_ = _visible(request, pk)
    if not import_.cancel():
        messages.info(request, "It was over already.")
    return redirect(import_)


@require_GET
def left_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Return what was skipped and why, as a text file."""
    import_ = _visible(request, pk)
    lines = [f"{import_.filename}: {import_.skipped_count:,} left out", ""]
    lines += [f"{number:>9,}  {reason}" for reason, number in import_.reasons.items()]
    if import_.skipped:
        lines += ["", "One by one:", *import_.skipped]
    return HttpResponse(
        "\n".join(lines) + "\n",
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="left-out-{import_.pk}.txt"'},
    )


def cost(import_: Import) -> Decimal | None:
    """The cost of reading for facts, at the prices of the instance; None without prices."""
    instance = import_.instance
    if instance.prompt_price is None or instance.completion_price is None:
        return None
    return (
        import_.prompt_tokens * instance.prompt_price
        + import_.completion_tokens * instance.completion_price
    ) / 1_000_000


def _upload(instance: Instance, request: Request, form: ImportForm, kind: str) -> Import | None:
    """Store the file and the row; if that fails, return None, with an error in the form."""
    file = form.cleaned_data["file"]
    try:
        with transaction.atomic():
            import_ = Import.objects.create(
                instance=instance,
                by=request.user,
                filename=file.name[:300],
                file=file,
                bytes_total=file.size,
                restores_tiers=form.cleaned_data.get("restores_tiers", False),
                kind=kind if kind in Import.Kind.values else Import.Kind.CONVERSATIONS,
            )
            transaction.on_commit(partial(import_waiting.send, sender=Import, import_=import_))
    except OSError as error:
        form.add_error(
            "file",
            f"The file could not be stored: {error.strerror or error}. Make room where Keepsake "
            "keeps its files, and upload it again.",
        )
        return None
    return import_


def _visible(request: HttpRequest, pk: int) -> Import:
    return visible_row(signed_in(request), Import.objects.all(), pk)
