"""Every table that holds something about an end user: how its rows are found, and what erasing the
person does with them.

A table is in `HOLDINGS` or, with a reason, in `NOT_ABOUT_END_USERS`; a test fails for any other.
Both the export and the erasure follow this list, and a certificate names its hash.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from conversations.models import Conversation, Import, ImportedConversation, Message
from instances.models import ApiKey, EndUserAlias, GroupMember, Instance
from memoryapp.models import (
    Activity,
    Answer,
    ArchivedMemory,
    AuditRecord,
    Closet,
    Contradiction,
    DocumentEmbedding,
    Drawer,
    DrawerEmbedding,
    Entity,
    Erasure,
    GoldenQuestion,
    HeldStatement,
    KeyRequest,
    LegalHold,
    Likeness,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Mention,
    MutedMessage,
    MutedNote,
    ProposedDeletion,
    RecallLog,
    RefusedProposal,
    RevisionEmbedding,
    Room,
    Run,
    SavedFilter,
    Statement,
    StoredDocument,
    Summary,
    SuppressedStatement,
    SuppressionRule,
    ToolRun,
    Unfiled,
    Usage,
    WebhookDelivery,
    Wing,
    Withdrawn,
)
from memoryapp.models.erasures import hash_of

#: The shortest id that is looked for within the name and the words of a saved filter.
MIN_CHARACTERS_IN_FILTERS = 3


@dataclass(frozen=True)
class Person:
    """An end user of an instance, with all their ids; the first one is that of the stored rows."""

    instance: Instance
    ids: tuple[str, ...]

    @classmethod
    def of(cls, instance: Instance, end_user: str) -> "Person":
        """Return the person with this id."""
        stored = instance.canonical_end_user(end_user)
        return cls(instance, tuple(EndUserAlias.objects.ids_of(instance, stored)))

    @property
    def name(self) -> str:
        return self.ids[0] or gettext("The user")

    @property
    def typed(self) -> str:
        """Text to type to confirm that this person is meant."""
        return self.ids[0] or gettext("the user")


class ErasureAction(StrEnum):
    """Effect of erasing a person on the rows of a table."""

    DELETE = "deleted"
    #: The row stays, without what links it to the person or quotes them.
    STRIP = "stripped"
    KEEP = "kept"


@dataclass(frozen=True)
class Holding:
    """A table with rows about end users."""

    model: type[Model]
    #: The rows in words; in English, as in certificates. Screens translate them, and the reasons.
    title: str
    #: The rows of a person, whatever their state.
    rows: Callable[[Person], QuerySet[Any]]
    fate: ErasureAction = ErasureAction.DELETE
    #: Why rows are stripped or kept, and until when.
    reason: str = ""
    #: The columns that are stripped, with what they become.
    stripped: Mapping[str, Any] = field(default_factory=dict)
    #: The columns that the export leaves out, and why.
    left_out: Mapping[str, str] = field(default_factory=dict)
    #: Columns with words of a conversation, whose secrets the export masks as screens do.
    verbatim: Sequence[str] = ()

    @property
    def label(self) -> str:
        """The name of the table, such as ``memoryapp.Memory``."""
        return self.model._meta.label

    def fate_of(self, *, with_rules: bool) -> ErasureAction:
        """Action of an erasure on these rows; ``with_rules`` deletes never-again rules."""
        return ErasureAction.DELETE if with_rules and self.model is SuppressionRule else self.fate


def _of_person(person: Person) -> Q:
    return Q(instance=person.instance, end_user__in=person.ids)


def _all(model: type[Any]) -> QuerySet[Any]:
    """All rows of a table: of memories, those in any state."""
    rows: QuerySet[Any] = model._base_manager.all()
    return rows


def _own(model: type[Any]) -> Callable[[Person], QuerySet[Any]]:
    """Rows with the id of the person."""
    return lambda person: _all(model).filter(_of_person(person))


def _through(model: type[Any], *paths: str) -> Callable[[Person], QuerySet[Any]]:
    """Rows that refer to a row with the id of the person, along one of *paths*."""

    def rows(person: Person) -> QuerySet[Any]:
        found = Q()
        for path in paths:
            ours = {f"{path}__instance": person.instance, f"{path}__end_user__in": person.ids}
            found |= Q(**ours)
        # A subquery, since a row that is found along two paths must not count twice.
        of_any = _all(model).filter(found, instance=person.instance).order_by()
        return _all(model).filter(instance=person.instance, pk__in=of_any.values("pk"))

    return rows


def _activity(person: Person) -> QuerySet[Activity]:
    """Lines with their memories, deleted ones as well, or conversations."""
    memories = _own(Memory)(person).order_by().values("pk")
    deleted = [
        rows(person).values("memory_id") for rows in (_own(SuppressionRule), _suppressed_statements)
    ]
    conversations = _own(Conversation)(person).order_by().values("pk")
    return Activity.objects.filter(
        Q(memory_id__in=memories)
        | Q(memory_id__in=deleted[0])
        | Q(memory_id__in=deleted[1])
        | Q(conversation__in=conversations),
        instance=person.instance,
    )


def _calls(person: Person) -> QuerySet[Usage]:
    """Calls to providers about the person, or for a conversation of theirs."""
    runs = _through(Usage, "run__conversation")(person).order_by().values("pk")
    return Usage.objects.filter(_of_person(person) | Q(pk__in=runs, instance=person.instance))


def _suppressed_statements(person: Person) -> QuerySet[SuppressedStatement]:
    memories = _own(Memory)(person).order_by().values("pk")
    conversations = _own(Conversation)(person).order_by().values("pk")
    return SuppressedStatement.objects.filter(
        Q(end_user__in=person.ids)
        | Q(memory_id__in=memories)
        | Q(message__conversation__in=conversations),
        instance=person.instance,
    )


def _imports(person: Person) -> QuerySet[Import]:
    brought = _own(Conversation)(person).order_by().values("pk")
    links = ImportedConversation.objects.filter(
        instance=person.instance, conversation__in=brought
    ).values("import_run")
    found = Import.objects.filter(instance=person.instance, pk__in=links)
    return found.exclude(titles=[], skipped=[])


def _links_of_imports(person: Person) -> QuerySet[ImportedConversation]:
    conversations = _own(Conversation)(person).order_by().values("pk")
    return ImportedConversation.objects.filter(
        instance=person.instance, conversation__in=conversations
    )


def _memories(person: Person) -> QuerySet[Memory]:
    """Memories of this person, and those that were shared with groups from them."""
    return _all(Memory).filter(_of_person(person) | _shared_by(person))


def _archived(person: Person) -> QuerySet[ArchivedMemory]:
    """The same in the bin, by the copies of their rows."""
    shared = Q(instance=person.instance, rows__memory__0__shared_by__in=person.ids)
    return _all(ArchivedMemory).filter(_of_person(person) | shared)


def _shared_by(person: Person) -> Q:
    return Q(instance=person.instance, shared_by__in=person.ids)


def _named(person: Person) -> list[str]:
    """The ids of *person* without the empty one, which other columns have for no person."""
    return [each for each in person.ids if each]


def _stored_documents(person: Person) -> QuerySet[StoredDocument]:
    """Documents of this person, and those of nobody that name them in their namespace."""
    theirs = Q(end_user__in=person.ids)
    if ids := _named(person):
        theirs |= Q(end_user="", namespace__overlap=ids)
    return StoredDocument.objects.filter(theirs, instance=person.instance)


def _vectors_of_documents(person: Person) -> QuerySet[DocumentEmbedding]:
    documents = _stored_documents(person).order_by().values("pk")
    return DocumentEmbedding.objects.filter(instance=person.instance, document__in=documents)


def _saved_filters(person: Person) -> QuerySet[SavedFilter]:
    """Filters by this person, and those with an id of theirs in their name or words."""
    filters = SavedFilter.objects.filter(instance=person.instance)
    ids = [each.casefold() for each in person.ids if len(each) >= MIN_CHARACTERS_IN_FILTERS]
    found = []
    for pk, name, query in filters.values_list("pk", "name", "query"):
        parameters = parse_qsl(query)
        texts = [name.casefold(), *(value.casefold() for _, value in parameters)]
        names_them = ("user" in dict(parameters)) and dict(parameters)["user"] in person.ids
        if names_them or any(each in text for each in ids for text in texts):
            found.append(pk)
    return filters.filter(pk__in=found)


def _golden_questions(person: Person) -> QuerySet[GoldenQuestion]:
    """Questions that this person asks, and those with an id of theirs in their words."""
    names = Q(end_user__in=person.ids)
    for each in person.ids:
        if len(each) >= MIN_CHARACTERS_IN_FILTERS:
            names |= Q(text__icontains=each)
    return GoldenQuestion.objects.filter(names, instance=person.instance)


def _events(person: Person) -> QuerySet[WebhookDelivery]:
    return WebhookDelivery.objects.filter(
        instance=person.instance, end_users__overlap=list(person.ids)
    )


def _aliases(person: Person) -> QuerySet[EndUserAlias]:
    return EndUserAlias.objects.filter(
        Q(end_user__in=person.ids) | Q(alias__in=person.ids), instance=person.instance
    )


def _erasures(person: Person) -> QuerySet[Erasure]:
    hashes = [hash_of(person.instance.pk, each) for each in person.ids]
    return Erasure.objects.filter(instance=person.instance, hashes__overlap=hashes)


_VECTOR = {"embedding": _("numbers that are computed from the text")}
_INDEX = {"search": _("the words of the text, for searching")}
_HASHES = {"words": _("keyed hashes"), "names": _("keyed hashes")}
_HASHES_OF_TEXTS = _HASHES | {"digest": _("a keyed hash")}

#: In the order of an erasure: first what is stripped, while it can still be found; then what could
#: bring the person back; of what belongs together, the parts first.
HOLDINGS: tuple[Holding, ...] = (
    Holding(
        Activity,
        _("lines of the activity log"),
        _activity,
        ErasureAction.STRIP,
        _(
            "The line stays as an account of who did what, without its links to the person’s "
            "rows. It never held a text."
        ),
        {"memory_id": None, "conversation_id": None},
    ),
    Holding(
        Usage,
        _("calls to model providers"),
        _calls,
        ErasureAction.STRIP,
        _(
            "The time, server, tokens and cost of calls stay, without the person’s id, without "
            "links to their conversations and without what a provider answered."
        ),
        {"run_id": None, "end_user": None, "error": ""},
    ),
    Holding(
        Import,
        _("imports"),
        _imports,
        ErasureAction.STRIP,
        _("The import stays in the list, without titles and quoted lines of its file."),
        {"titles": [], "skipped": []},
        left_out={
            "titles": _("may be of other people"),
            "skipped": _("may be of other people"),
            "file": _("deleted when the import is over"),
        },
    ),
    Holding(
        WebhookDelivery,
        _("events about forgotten memories, for webhooks"),
        _events,
        ErasureAction.STRIP,
        _(
            "The event stays, for at most 14 days, so that other programs forget as well: it says "
            "which memories are gone, without whom they were about. It never held a text."
        ),
        {"end_users": []},
        left_out={"end_users": _("may be of other people")},
    ),
    Holding(ImportedConversation, _("links from imports to conversations"), _links_of_imports),
    Holding(
        ApiKey,
        _("API keys of the person’s own chat clients"),
        lambda person: _all(ApiKey).filter(instance=person.instance, end_user__in=person.ids),
        ErasureAction.STRIP,
        _("The key is revoked: without the person, it would open everything."),
        {"end_user": "", "revoked_at": Now()},
        left_out={"digest": _("a hash")},
    ),
    Holding(KeyRequest, _("requests with API keys"), _own(KeyRequest)),
    Holding(RefusedProposal, _("refused proposals"), _through(RefusedProposal, "conversation")),
    Holding(
        HeldStatement,
        _("statements that wait for review"),
        lambda person: _all(HeldStatement).filter(
            Q(end_user__in=person.ids)
            | Q(conversation__end_user__in=person.ids)
            | Q(drawer__end_user__in=person.ids)
            | Q(as_memory__shared_by__in=person.ids),
            instance=person.instance,
        ),
        left_out={"digest": _("a hash")},
    ),
    Holding(
        ProposedDeletion,
        _("proposals to forget memories"),
        _through(ProposedDeletion, "answer__conversation"),
    ),
    Holding(ToolRun, _("tool calls of answers"), _through(ToolRun, "answer__conversation")),
    Holding(
        RecallLog, _("records of what was recalled"), _through(RecallLog, "answer__conversation")
    ),
    Holding(Answer, _("attempts to answer"), _through(Answer, "conversation")),
    Holding(
        SuppressedStatement,
        _("marks on messages whose facts were deleted"),
        _suppressed_statements,
        left_out=_HASHES_OF_TEXTS,
    ),
    Holding(Unfiled, _("messages that are not filed"), _through(Unfiled, "message__conversation")),
    Holding(
        MemorySource,
        _("links from memories to messages"),
        _through(MemorySource, "memory", "conversation"),
    ),
    Holding(
        MutedMessage,
        _("texts of messages that are not recalled"),
        _through(MutedMessage, "message__conversation"),
        left_out={"filing": _("how it was filed, for as long as it can be restored")},
        verbatim=("content", "caption", "tool_calls"),
    ),
    Holding(
        Message,
        _("messages"),
        _through(Message, "conversation"),
        left_out=_INDEX,
        verbatim=("content", "caption", "tool_calls", "metadata"),
    ),
    Holding(
        DrawerEmbedding,
        _("vectors of messages and notes"),
        _through(DrawerEmbedding, "drawer", "drawer__message__conversation"),
        left_out=_VECTOR,
    ),
    Holding(
        MutedNote,
        _("texts of notes that are not recalled"),
        _through(MutedNote, "drawer"),
        left_out={"note": _("states what was forgotten")},
    ),
    Holding(
        Drawer,
        _("filed messages and notes"),
        lambda person: Drawer.objects.filter(
            Q(end_user__in=person.ids) | Q(message__conversation__end_user__in=person.ids),
            instance=person.instance,
        ),
        left_out=_INDEX,
        verbatim=("note",),
    ),
    Holding(Closet, _("topics"), _through(Closet, "room__wing", "room__conversation")),
    Holding(Room, _("conversations in the palace"), _through(Room, "wing", "conversation")),
    Holding(Wing, _("subjects"), _own(Wing)),
    Holding(Run, _("background runs"), _through(Run, "conversation")),
    Holding(Conversation, _("conversations"), _own(Conversation), verbatim=("title",)),
    Holding(
        Likeness,
        _("comparisons of memories"),
        _through(Likeness, "embedding__memory", "other__memory"),
    ),
    Holding(
        Contradiction, _("possible contradictions"), _through(Contradiction, "memory", "other")
    ),
    Holding(
        RevisionEmbedding,
        _("vectors of earlier versions"),
        _through(RevisionEmbedding, "revision__memory"),
        left_out=_VECTOR,
    ),
    Holding(MemoryRevision, _("earlier versions of memories"), _through(MemoryRevision, "memory")),
    Holding(
        MemoryEmbedding,
        _("vectors of memories"),
        _through(MemoryEmbedding, "memory"),
        left_out=_VECTOR,
    ),
    Holding(Withdrawn, _("sources of deleted relations"), _through(Withdrawn, "memory", "drawer")),
    Holding(Memory, _("memories"), _memories, left_out=_INDEX),
    Holding(ArchivedMemory, _("memories in the bin"), _archived),
    Holding(Statement, _("statements about relations"), _own(Statement)),
    Holding(Mention, _("names of people and things"), _through(Mention, "entity", "memory")),
    Holding(Entity, _("people and things"), _own(Entity)),
    Holding(Summary, _("summaries"), _own(Summary)),
    Holding(
        DocumentEmbedding,
        _("vectors of stored documents"),
        _vectors_of_documents,
        left_out=_VECTOR,
    ),
    Holding(StoredDocument, _("stored documents"), _stored_documents, left_out=_INDEX),
    Holding(SavedFilter, _("saved filters that name the person"), _saved_filters),
    Holding(GoldenQuestion, _("golden questions of the person"), _golden_questions),
    Holding(
        SuppressionRule,
        _("never-again rules"),
        _own(SuppressionRule),
        ErasureAction.KEEP,
        _(
            "Keyed hashes that keep deleted facts from being learned again, with the id that they "
            "apply to, until a manager lifts them."
        ),
        left_out=_HASHES,
    ),
    Holding(
        LegalHold,
        _("legal holds"),
        lambda person: _all(LegalHold).filter(
            instance=person.instance, end_user__in=_named(person)
        ),
        ErasureAction.STRIP,
        _(
            "The record of a hold that was lifted stays, without the person. An active one refuses "
            "the erasure."
        ),
        {"end_user": ""},
    ),
    Holding(
        AuditRecord,
        _("records of the audit log"),
        _own(AuditRecord),
        ErasureAction.STRIP,
        _(
            "What was done stays on record, with a keyed hash in place of the id, so that a gap in "
            "the log would show."
        ),
        {"end_user": None},
        left_out={
            "actor_id": _("of people who work here"),
            "actor": _("of people who work here"),
            "address": _("of people who work here"),
            "person": _("a keyed hash"),
            "digest": _("a hash"),
        },
    ),
    Holding(GroupMember, _("memberships in groups"), _own(GroupMember)),
    Holding(EndUserAlias, _("other ids"), _aliases),
    Holding(
        Erasure,
        _("certificates of erasures"),
        _erasures,
        ErasureAction.KEEP,
        _(
            "The certificates of erasures: keyed hashes of the ids and numbers of rows, for as "
            "long as the instance exists."
        ),
        left_out={
            "hashes": _("keyed hashes"),
            "certificate": _("the certificate is a document itself"),
        },
    ),
)

#: Tables with nothing about end users, each with the reason.
NOT_ABOUT_END_USERS: dict[str, str] = {
    "auth.Group": "Django's; not used",
    "auth.Group_permissions": "Django's; not used",
    "auth.Permission": "Django's; not used",
    "contenttypes.ContentType": "the names of the tables",
    "memoryapp.GoldenRound": "places of answers, by the ids of golden questions",
    "admin.LogEntry": "Django’s own history of its admin, which nothing writes",
    "sessions.Session": "people who use the screens, not end users",
    "account.EmailAddress": "people who use the screens",
    "account.EmailConfirmation": "people who use the screens",
    "mfa.Authenticator": "people who use the screens",
    "socialaccount.SocialAccount": "people who use the screens",
    "socialaccount.SocialApp": "sign-in of people who use the screens",
    "socialaccount.SocialToken": "people who use the screens",
    "usersessions.UserSession": "people who use the screens",
    "instances.User": "people who use the screens; superadmins manage them on the people screen",
    "instances.User_groups": "Django's; not used",
    "instances.User_user_permissions": "Django's; not used",
    "instances.Membership": "people who use the screens",
    "instances.MembershipInvitation": "people who use the screens",
    "instances.PasswordLink": "people who use the screens",
    "instances.FailedSignIns": "people who use the screens",
    "instances.Instance": "settings",
    "instances.Agent": "settings",
    "instances.Group": "settings; its members are in a table of their own",
    "instances.Group_agents": "the agents of groups",
    "instances.OAuthClient": "programs",
    "instances.AuthorizationCode": "people who use the screens, and their apps",
    "instances.AccessToken": "people who use the screens, and their apps",
    "instances.RefreshToken": "people who use the screens, and their apps",
    "instances.IDToken": "of the OAuth library; not used",
    "instances.DeviceGrant": "of the OAuth library; not used",
    "instances.Secret": "keys of providers",
    "instances.HashKey": "a random key",
    "instances.CircuitBreaker": "the state of provider servers",
    "instances.Webhook": "addresses of programs",
    "instances.AllowedAddress": "servers that may be called",
    "instances.OutgoingConnections": "servers that may be called",
    "conversations.CountedTexts": "counts, for all people together",
    "conversations.UploadPart": "uploaded files until they are imported; see below",
    "conversations.WordCount": "words of a hundred texts or more; an erasure deletes them all",
    "memoryapp.AuditForwarding": "a number",
    "memoryapp.MemoryCount": "numbers of memories, by person too; the last one takes its own along",
    "memoryapp.MemoryMark": "which memories have no vector or have changed; they take it along",
    "memoryapp.EmbeddingJob": "ids of rows and counts, for all people together",
    "memoryapp.EmbeddingSpace": "names of embedding models",
    "memoryapp.RetentionRule": "how long rows are kept, for all people together",
    "memoryapp.VectorIndex": "names of indexes",
    "memoryapp.Palace": "a counter",
    "memoryapp.IdempotentRequest": "keyed digests and ids of rows, for 24 hours",
    "memoryapp.Version": "a view of memories and revisions",
    "memoryapp.Relation": "a view of statements",
}

#: What else can hold something of a person after an erasure, and until when.
ELSEWHERE: dict[str, str] = {
    _("Database backups"): _(
        "Until they are deleted. Restoring one applies the list of erasures again."
    ),
    _("Copies for undoing a deletion, in Redis"): _(
        "Encrypted with a key that only a page has, for 12 "
        "seconds. They are not restored after an erasure."
    ),
    _("What a model was shown for a message, in Redis"): _(
        "Encrypted and not used any more, for at most one hour."
    ),
    _("Uploaded files that are not imported yet"): _("Deleted after 24 hours."),
    _("Logs of a proxy in front of Keepsake"): _(
        "As long as the proxy keeps them: addresses may contain ids. Keepsake’s own logs name "
        "nobody."
    ),
    _("Conversations of other people"): _(
        "What others said about the person in conversations of their "
        "own belongs to them. Search for the name, and delete what has to go."
    ),
    _("Programs that webhooks have told"): _(
        "They were sent memories, and are told which ones are forgotten. What they keep is theirs."
    ),
    _("Model providers"): _("What was sent to a provider is kept as its contract says."),
}


@cache
def inventory_hash() -> str:
    """Return a hash of the inventory (SHA-256, hex): of its tables, columns and rules."""
    described = [
        {
            "table": holding.label,
            "columns": sorted(column.attname for column in columns_of(holding.model)),
            "fate": holding.fate,
            "reason": holding.reason,
            "stripped": sorted(holding.stripped),
        }
        for holding in HOLDINGS
    ]
    document = {"tables": described, "elsewhere": ELSEWHERE, "others": NOT_ABOUT_END_USERS}
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def columns_of(model: type[Model]) -> list[Any]:
    """The columns of a table."""
    return list(model._meta.concrete_fields)


def has_end_user(model: type[Model]) -> bool:
    """True if the rows of a table have the id of a person themselves, beside their instance."""
    return any(column.attname == "end_user" for column in columns_of(model))


def counts_of(person: Person) -> dict[str, int]:
    """Return the number of the person's rows in each table that has any."""
    counts = {holding.label: holding.rows(person).count() for holding in HOLDINGS}
    return {label: count for label, count in counts.items() if count}


def holding_of(label: str) -> Holding:
    """Return the entry of a table."""
    return next(holding for holding in HOLDINGS if holding.label == label)


def ids_with_hashes(instance: Instance, hashes: Iterable[str]) -> list[str]:
    """Return the ids that are stored in *instance* and have one of these hashes."""
    wanted = set(hashes)
    known = set()
    for holding in HOLDINGS:
        if has_end_user(holding.model):
            rows = holding.model._base_manager.filter(instance=instance).order_by()
            known |= set(rows.values_list("end_user", flat=True).distinct())
    known.discard(None)
    events = WebhookDelivery.objects.filter(instance=instance).exclude(end_users=[])
    for people in events.values_list("end_users", flat=True).iterator():
        known |= set(people)
    known |= set(EndUserAlias.objects.filter(instance=instance).values_list("alias", flat=True))
    return sorted(each for each in known if hash_of(instance.pk, each) in wanted)
