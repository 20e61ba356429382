"""Editing the graph: add, end and withdraw relations; rename and merge entities."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from conversations.sanitizer import sanitize
from conversations.url_text import filter_text
from instances.access import Request, needs, visible_instance, visible_row
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance, InstanceRole
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.graph import corrections
from memoryapp.graph.corrections import EntitiesNotMergeable, EntityNameTaken
from memoryapp.graph.ingestion import NamedEntity
from memoryapp.graph.predicates import SINGLE, in_words, predicate
from memoryapp.models import Entity, EntityKind, Mention, Relation, Statement
from memoryapp.models.names import clean_name, slug
from memoryapp.privacy import pii
from memoryapp.suppression.sensitivity import sensitive_areas
from memoryapp.web.days import MAX_YEAR, MIN_YEAR, DayInput
from memoryapp.web.graph.views import entity_page, other_names, visible_entity

#: Entities that are offered to merge with.
MAX_OFFERED = 8
VALUE = "value"
OBJECTS = [*EntityKind.choices, (VALUE, _("Value, such as a number"))]


def _check_year(day: Any) -> None:
    if not MIN_YEAR <= day.year <= MAX_YEAR:
        raise forms.ValidationError(
            gettext("Enter a date between the years %(first)s and %(last)s.")
            % {"first": MIN_YEAR, "last": MAX_YEAR}
        )


def _day_field(label: Any, help_text: Any) -> forms.DateField:
    return forms.DateField(
        required=False,
        label=label,
        help_text=help_text,
        validators=[_check_year],
        widget=DayInput,
    )


class RelationForm(forms.Form):
    """A relation that a person enters."""

    subject = forms.CharField(max_length=200, label=_("Who or what"))
    subject_kind = forms.ChoiceField(choices=EntityKind.choices, label=_("Kind"))
    predicate = forms.CharField(
        max_length=100, label=_("Relation"), help_text=_("For example: works at, lives in, owns.")
    )
    object = forms.CharField(max_length=200, label=_("To whom or what"))
    object_kind = forms.ChoiceField(choices=OBJECTS, label=_("Kind"))
    since = _day_field(_("Since"), _("Default: today."))
    until = _day_field(
        _("Until"), _("The first day on which it was no longer true. Empty: still true.")
    )
    one_at_a_time = forms.BooleanField(
        required=False,
        label=_("Only one at a time: a new one ends the previous one"),
    )

    def __init__(self, *args: Any, instance: Instance, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance = instance
        for name in ("subject", "object", "predicate"):
            self.fields[name].widget.attrs |= {"autocomplete": "off", "dir": "auto"}
        self.fields["predicate"].widget.attrs["list"] = "predicates"

    def clean_subject(self) -> str:
        return self._name("subject")

    def clean_object(self) -> str:
        return self._name("object")

    def clean_predicate(self) -> str:
        name = predicate(sanitize(self.cleaned_data["predicate"]))
        if not name:
            raise forms.ValidationError(gettext("Enter at least one letter or digit."))
        return name

    def clean(self) -> None:
        data = self.cleaned_data
        said = " ".join(filter(None, map(data.get, ("subject", "predicate", "object"))))
        if sensitive_areas(self.instance, said.replace("_", " "), AreaHandling.REFUSE):
            self.add_error(
                None, gettext("It is about an area that is not kept here (Settings → Never kept).")
            )
        since, until = data.get("since"), data.get("until")
        if since and until and until <= since:
            self.add_error("until", gettext("Enter a date that is later than “Since”."))
        same = slug(data.get("subject", "")) == slug(data.get("object", "?"))
        if same and data.get("object_kind") != VALUE:
            self.add_error("object", gettext("Enter a name that differs from the one above."))

    def _name(self, field: str) -> str:
        name = clean_name(sanitize(self.cleaned_data[field]))
        if not slug(name):
            raise forms.ValidationError(
                gettext("Enter a name with at least one visible character.")
            )
        return without_secrets(self.instance, name)

    @property
    def known_predicates(self) -> list[str]:
        return sorted(map(in_words, SINGLE))


def without_secrets(instance: Instance, name: str) -> str:
    """Return *name*; raises `ValidationError` if the instance's policy forbids to store it."""
    if instance.pii_policy == pii.PIIMode.OFF:
        return name
    examined = pii.examine(name, pii.PIIMode.REDACT)
    if examined.text != name:
        raise forms.ValidationError(
            gettext("This looks like a secret or an identifier, which may not be stored here.")
        )
    return name


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def new_relation(request: Request) -> HttpResponse:
    """Show the form for a relation, and add it."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    end_user = filter_text(request.GET.get("user", ""))
    subject = _subject(request, instance)
    initial: dict[str, Any] = {"subject_kind": EntityKind.PERSON, "object_kind": EntityKind.OTHER}
    if subject:
        end_user = subject.end_user
        initial |= {"subject": subject.name, "subject_kind": subject.kind}
    form = RelationForm(request.POST or None, instance=instance, initial=initial)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        value = data["object_kind"] == VALUE
        corrections.add_relation(
            instance,
            end_user,
            corrections.NewRelation(
                NamedEntity(data["subject"], data["subject_kind"]),
                data["predicate"],
                data["object"] if value else NamedEntity(data["object"], data["object_kind"]),
                since=data["since"],
                until=data["until"],
                single_valued=data["one_at_a_time"],
            ),
            by=Actor(request.user),
        )
        messages.success(request, gettext("Relation added."))
        entities = Entity.objects.filter(instance=instance, end_user=end_user)
        about = entities.called([slug(data["subject"])]).first()
        return redirect(about or f"{reverse('graph')}?instance={instance.slug}")
    context = {
        "section": "graph",
        "form": form,
        "subject": subject,
        "end_user": end_user,
        "here": f"{reverse('relation_new')}?{request.GET.urlencode()}",
    }
    return render(request, "graph/new.html", context, status=422 if form.is_bound else 200)


def _subject(request: Request, instance: Instance) -> Entity | None:
    pk = parse_pk(request.GET.get("subject"))
    return Entity.objects.filter(instance=instance, pk=pk).first() if pk else None


@require_POST
def rename_entity(request: Request, pk: int) -> HttpResponse:
    """Change the name and the kind of an entity."""
    entity = visible_entity(request, pk)
    name, kind = clean_name(sanitize(request.POST.get("name", ""))), request.POST.get("kind", "")
    taken: Entity | None = None
    try:
        corrections.rename_entity(
            entity,
            without_secrets(entity.instance, name),
            kind if kind in EntityKind.values else entity.kind,
            by=Actor(request.user),
        )
    except forms.ValidationError as error:
        why = error.messages[0]
    except EntityNameTaken as error:
        why, taken = str(error), error.entity
    except ValueError as error:
        why = str(error)
    else:
        messages.success(request, gettext("Saved. Search finds it by its old name, too."))
        return redirect(entity)
    entity.refresh_from_db()
    more = {"new_name": name, "not_renamed": why, "taken": taken}
    return entity_page(request, entity, more=more, status=422)


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def merge_entity(request: Request, pk: int) -> HttpResponse:
    """Choose an entity to merge with, preview the result, and merge."""
    gone = visible_entity(request, pk)
    into = (request.POST or request.GET).get("into", "")
    stays, merged, problem = None, None, ""
    if into:
        others = Entity.objects.filter(instance=gone.instance)
        stays = get_object_or_404(others, pk=parse_pk(into))
        try:
            if request.method == "POST":
                corrections.merge_entities(gone, stays, by=Actor(request.user))
                messages.success(request, gettext("Merged. Search finds it by both names."))
                return _to_entity(stays.pk, gone.instance)
            merged = corrections.preview_merge(gone, stays)
        except EntitiesNotMergeable as error:
            problem, stays = str(error), None
    q = filter_text(request.GET.get("q", ""))
    offered = _offered(gone, q)
    context = {
        "section": "graph",
        "entity": gone,
        "stays": stays,
        "merged": merged,
        "problem": problem,
        "q": q,
        "offered": offered,
        "names": other_names(offered),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "graph/merge.html", context, status=status)


def _offered(gone: Entity, q: str) -> list[Entity]:
    """Return entities to merge with: of a similar name, or of the name searched for."""
    others = Entity.objects.filter(instance=gone.instance, end_user=gone.end_user)
    words = [slug(q)] if slug(q) else gone.slug.split("-")
    mentions = Mention.objects.none()
    for word in words:
        mentions |= Mention.objects.filter(instance=gone.instance, slug__contains=word)
    similar = others.filter(pk__in=mentions.values("entity")).exclude(pk=gone.pk)
    return list(similar.order_by("slug", "pk")[:MAX_OFFERED])


@require_POST
def end_relation(request: Request, pk: int) -> HttpResponse:
    """End a relation on a day."""
    relation = _visible_relation(request, pk)
    try:
        day = forms.DateField(validators=[_check_year]).clean(request.POST.get("day"))
    except forms.ValidationError:
        messages.error(request, gettext("Nothing was changed. Enter the day on which it ended."))
        return _back(request, relation)
    if relation.valid_from and day <= relation.valid_from:
        messages.error(
            request,
            gettext(
                "Nothing was changed. It began on %(day)s and must end later. If it was never "
                "true, delete it."
            )
            % {"day": date_format(relation.valid_from, pgettext("format of a day", "j M Y"))},
        )
        return _back(request, relation)
    corrections.end_relation(relation, day, by=Actor(request.user))
    messages.success(request, gettext("Ended. It stays in the history."))
    return _back(request, relation)


@require_POST
def withdraw_relation(request: Request, pk: int) -> HttpResponse:
    """Delete the statements of a relation, and do not learn them again from their messages."""
    relation = _visible_relation(request, pk)
    count = corrections.withdraw_relation(relation, by=Actor(request.user))
    text = ngettext(
        "Deleted %(number)s statement. It is not learned again from its message, which is kept.",
        "Deleted %(number)s statements. They are not learned again from their messages, which are "
        "kept.",
        count,
    )
    messages.success(request, text % {"number": intcomma(count)})
    return _back(request, relation)


def _visible_relation(request: Request, pk: int) -> Relation:
    """Return the relation of this statement, if the person may see it; else raise `Http404`."""
    statement = visible_row(request, Statement.objects.all(), pk)
    relations = Relation.objects.filter(
        instance=statement.instance_id,
        subject__in=[statement.subject_id],
        predicate=statement.predicate,
        statements__contains=[statement.pk],
    ).select_related("instance")
    if not relations:
        raise Http404
    # It may also repeat what a higher tier has said.
    return next((r for r in relations if r.pk == statement.pk), relations[0])


def _back(request: Request, relation: Relation) -> HttpResponse:
    """Redirect to the entity from whose page the request came, if it is one of the two ends."""
    ends = {str(pk) for pk in (relation.subject_id, relation.object_id) if pk}
    entity = request.POST.get("entity", "")
    return _to_entity(int(entity) if entity in ends else relation.subject_id, relation.instance)


def _to_entity(pk: int, instance: Instance) -> HttpResponse:
    """Redirect to an entity, or to the list if it no longer exists."""
    entity = Entity.objects.filter(pk=pk).first()
    return redirect(entity or f"{reverse('graph')}?instance={instance.slug}")
