"""The import screens: upload of a file, preview, confirmation, progress."""

from collections.abc import Mapping
from dataclasses import dataclass
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
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from conversations.models import Import
from conversations.signals import import_waiting
from instances.access import Request, needs, signed_in, visible_instance, visible_row
from instances.models import Instance, InstanceRole
from instances.translatable import told_of, translated
from memoryapp.embeddings.vector_progress import vector_progress
from memoryapp.extraction.message_status import unread_and_waiting
from memoryapp.models.prices import language_model_prices
from memoryapp.models.usage import TOKENS_PER_PRICE
from memoryapp.web.conversations.import_causes import causes_of
from memoryapp.web.conversations.import_columns import (
    chosen_columns,
    columns_context,
    problem_of,
)
from memoryapp.web.conversations.import_preview import preview_context

#: Imports that the screen lists.
MAX_LISTED_IMPORTS = 10


#: The help for memories. Files of both kinds are recognised wherever they are uploaded.
MEMORIES_HELP = _(
    "Memories as JSON, CSV or text with one per line, an export from ChatGPT, Claude or mem0, a "
    "backup of OpenMemory (the zip file), or the memory.jsonl of the MCP memory server. You see "
    "what is in the file before it is imported."
)
#: Reasons for leaving out messages that the summary names.
MAX_NAMED_REASONS = 4


class ImportForm(forms.Form):
    """A file to import."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "An export from ChatGPT, Claude, DeepSeek, Gemini, Grok, Open WebUI or LibreChat, a "
            "conversation of LM Studio, a session of Claude Code or Codex, lists of messages as "
            "JSON or JSONL, or memories. The format is recognised, and you see what is in the file "
            "before it is imported."
        ),
    )

    #: The preview asks, once it is known what the file is.
    restores_tiers = forms.BooleanField(required=False)

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
                gettext(
                    "The file is %(size)s, and the limit is %(limit)s MB. Split the file, or raise "
                    "MAX_UPLOAD_MB on the server."
                )
                % {
                    "size": filesizeformat(file.size),
                    "limit": number_format(settings.MAX_UPLOAD_MB, force_grouping=True),
                }
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
        unread, waiting = unread_and_waiting(import_.brought.all())
    milestone = f"{import_.state}-{import_.percent // 25}"
    context = {
        "section": "memory" if import_.is_of_memories else "conversations",
        "import": import_,
        "headline": headline(import_),
        "causes": causes_of(import_),
        # The preview lists the rows themselves.
        "rows_tell_all": import_.is_of_memories and import_.skipped_count <= len(import_.skipped),
        "cost": cost(import_),
        "unread": unread,
        "waiting": waiting,
        "progress": vector_progress(import_.instance) if import_.is_over else None,
        # Screen readers hear of each quarter, not of each poll.
        "milestone": milestone,
        "announces": request.htmx and request.GET.get("announced") != milestone,
    }
    if import_.is_of_memories and import_.state == Import.State.READY:
        fate, page = request.GET.get("show", ""), request.GET.get("page", "")
        context |= preview_context(import_, fate, page) | columns_context(import_)
    return render(request, template, context)


@require_POST
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the file looked through anew: for its memories or its conversations, with other fields
    for its columns, with rows that replace memories or without, and with the trust that its
    memories had, if a manager says so.
    """
    import_ = _visible(request, pk)
    options = _options(request, import_)
    if problem := problem_of(options.columns) if options.columns else "":
        messages.error(request, problem)
        return redirect(import_)
    kind = request.POST.get("kind", "")
    with transaction.atomic():
        if import_.look_again(**vars(options), kind=kind):
            transaction.on_commit(partial(import_waiting.send, sender=Import, import_=import_))
    return redirect(import_)


@dataclass(frozen=True)
class Options:
    """How the rows of a file of memories are stored."""

    #: True if contradicting rows stay apart.
    keep_apart: bool
    #: True if memories keep the trust that they had, which only a manager can say.
    restores_tiers: bool
    #: The fields that are chosen for columns; empty if they are guessed.
    columns: Mapping[str, str]


def _options(request: HttpRequest, import_: Import) -> Options:
    """Return what the form chooses, else what is so already."""
    keep_apart, restores_tiers = import_.keep_apart, import_.restores_tiers
    if "rows" in request.POST:
        keep_apart = request.POST["rows"] != "replace"
    if "asks_trust" in request.POST and signed_in(request).role == InstanceRole.MANAGER:
        restores_tiers = request.POST.get("restores_tiers") == "on"
    columns = chosen_columns(request.POST, import_)
    return Options(keep_apart, restores_tiers, columns or import_.columns)


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm an import, and have its conversations read for facts if the person wants that. With
    other options than those of the preview, show the preview for these first.
    """
    import_ = _visible(request, pk)
    options = _options(request, import_)
    if options != Options(import_.keep_apart, import_.restores_tiers, import_.columns):
        messages.info(
            request,
            gettext("You changed the options. Look at the new preview, then import the file."),
        )
        return choose(request, pk)
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
        messages.info(request, gettext("The import had already ended."))
    return redirect(import_)


@require_POST
@needs(InstanceRole.MEMBER)
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Put away the message that an import has failed."""
    import_ = _visible(request, pk)
    import_.dismiss()
    return redirect(f"{reverse('conversations')}?instance={import_.instance.slug}")


@require_GET
def left_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Return what was skipped and why, as a text file."""
    import_ = _visible(request, pk)
    lines = [f"{import_.filename}: {left_out_in_words(import_)}", ""]
    lines += [
        f"{number:>9,}  {told_of(reason, number)}" for reason, number in import_.reasons.items()
    ]
    if import_.skipped:
        lines += ["", gettext("Places in the file:"), *map(translated, import_.skipped)]
    return HttpResponse(
        "\n".join(lines) + "\n",
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="left-out-{import_.pk}.txt"'},
    )


def headline(import_: Import) -> str:
    """Say in one line what confirming the checked *import_* would do, or why it would do nothing:
    what is known already and what cannot be imported are different things.
    """
    if import_.importable:
        return _to_import(import_)
    known, refused = import_.known, import_.skipped_count
    if known and refused:
        return gettext("Nothing to import: the file holds only what is known already or refused")
    if known:
        return gettext("Nothing in this file is new")
    if refused and import_.is_of_memories:
        text = ngettext(
            "The row of this file cannot be imported",
            "None of the %(number)s rows can be imported",
            refused,
        )
        return text % {"number": number_format(refused, force_grouping=True)}
    if refused:
        return gettext("Nothing in this file can be imported")
    return gettext("There is nothing to import in this file")


def _to_import(import_: Import) -> str:
    if not import_.is_of_memories:
        count = import_.messages_added
        text = ngettext("%(number)s message to import", "%(number)s messages to import", count)
        return text % {"number": number_format(count, force_grouping=True)}
    held, stored = import_.memories_held, import_.memories_stored
    texts = []
    if stored:
        text = ngettext("%(number)s memory to import", "%(number)s memories to import", stored)
        texts.append(text % {"number": number_format(stored, force_grouping=True)})
    if held:
        text = gettext("%(number)s to be reviewed")
        texts.append(text % {"number": number_format(held, force_grouping=True)})
    return ", ".join(texts)


def left_out_in_words(import_: Import) -> str:
    """Say in one sentence how much of the file is skipped, and why; empty if all is imported."""
    count = import_.skipped_count
    if not count:
        return ""
    by_number = sorted(import_.reasons.items(), key=lambda item: -item[1])
    named, others = by_number[:MAX_NAMED_REASONS], by_number[MAX_NAMED_REASONS:]
    reasons = [(told_of(reason, number), number) for reason, number in named]
    if others:
        reasons.append((gettext("other reasons"), sum(number for _reason, number in others)))
    in_words = ", ".join(
        f"{reason} ({number_format(number, force_grouping=True)})" for reason, number in reasons
    )
    text = ngettext(
        "%(number)s item is skipped: %(reasons)s.",
        "%(number)s items are skipped: %(reasons)s.",
        count,
    )
    return text % {"number": number_format(count, force_grouping=True), "reasons": in_words}


def cost(import_: Import) -> Decimal | None:
    """The cost of reading for facts at the present prices; None if they are not known."""
    prices = language_model_prices(import_.instance)
    if prices.prompt is None or prices.completion is None:
        return None
    return (
        import_.prompt_tokens * prices.prompt + import_.completion_tokens * prices.completion
    ) / TOKENS_PER_PRICE


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
            gettext(
                "The file could not be stored: %(error)s. Free some disk space on the server, and "
                "upload it again."
            )
            % {"error": error.strerror or error},
        )
        return None
    return import_


def _visible(request: HttpRequest, pk: int) -> Import:
    return visible_row(signed_in(request), Import.objects.all(), pk)
