"""The tables of an instance that a bundle holds, in the order in which their rows come back.

Every table is in `TABLES` or, with a reason, in `LEFT_OUT`, or belongs to the server; a test fails
for any other. Ids change when rows come back, and with them all columns that hold some: foreign
keys by themselves, others as they are declared here.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import BigAutoField, Field, ForeignKey, Model

from conversations.models import (
    Conversation,
    CountedTexts,
    Import,
    ImportedConversation,
    Message,
    WordCount,
)
from instances.models import (
    Agent,
    ApiKey,
    EndUserAlias,
    Group,
    GroupMember,
    HashKey,
    Instance,
    Secret,
    User,
    Webhook,
)
from memoryapp.models import (
    Activity,
    Answer,
    ArchivedMemory,
    Closet,
    Contradiction,
    DocumentEmbedding,
    Drawer,
    DrawerEmbedding,
    EmbeddingSpace,
    Entity,
    Erasure,
    GoldenQuestion,
    GoldenRound,
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
    Palace,
    ProposedDeletion,
    RecallLog,
    RefusedProposal,
    RetentionRule,
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
    Wing,
    Withdrawn,
)
from memoryapp.models.stored_rows import stored_fields

#: Gives the new id of a row of a table for its old one.
Renumber = Callable[[type[Model], int], int]
#: Gives a document with new ids.
Rewrite = Callable[[Any, Renumber], Any]


@dataclass(frozen=True)
class BundledTable:
    """A table of an instance."""

    model: type[Model]
    #: Columns with ids, or lists of ids, that are no foreign keys: of which table.
    ids: Mapping[str, type[Model]] = field(default_factory=dict)
    #: Columns of JSON with ids in them.
    documents: Mapping[str, Rewrite] = field(default_factory=dict)
    #: Columns that are in the bundle only with a passphrase.
    secrets: Collection[str] = ()
    #: Columns that stay behind, with what stands there afterwards.
    blank: Mapping[str, Any] = field(default_factory=dict)
    #: The key by which it belongs to the instance, if its rows do not name it.
    owner: str = ""
    #: True if its rows are of no use without a secret: their own, or the key of their hashes.
    needs_passphrase: bool = False

    @property
    def label(self) -> str:
        """The name of the table, such as ``memoryapp.Memory``."""
        return self.model._meta.label

    @property
    def name(self) -> str:
        """The name of the table in the database."""
        return self.model._meta.db_table

    @property
    def file(self) -> str:
        """The name of its file in the bundle."""
        return f"data/{self.label}.jsonl"

    @property
    def columns(self) -> list[Field[Any, Any]]:
        """The columns that the file has, each under `key_of`."""
        return [
            column
            for column in stored_fields(self.model)
            if column.attname not in self.blank and column.attname not in self.secrets
        ]

    @property
    def is_numbered(self) -> bool:
        """True if its rows have ids that the database counts."""
        return isinstance(self.model._meta.pk, BigAutoField)

    def renumbered(self, row: dict[str, Any], new: Renumber) -> dict[str, Any]:
        """Return the columns of *row* with new ids. Raises errors of Python for other types."""
        changed = _renumbered(self.model, row, new)
        for name, model in self.ids.items():
            changed[name] = _each(changed.get(name), model, new)
        for name, rewrite in self.documents.items():
            if changed.get(name):
                changed[name] = rewrite(changed[name], new)
        return changed


def key_of(column: Field[Any, Any]) -> str:
    """The name of a *column* in a bundle: a person is named there, and not by an id."""
    return column.name if column.related_model is User else column.attname


def _renumbered(model: type[Model], row: dict[str, Any], new: Renumber) -> dict[str, Any]:
    changed = dict(row)
    for column in stored_fields(model):
        name, target = column.attname, column.related_model
        value = changed.get(name)
        if value is None:
            continue
        if isinstance(column, BigAutoField):
            changed[name] = new(model, value)
        elif isinstance(column, ForeignKey) and (target is Instance or target in BY_MODEL):
            changed[name] = new(_model(target), value)
    return changed


def _in_document(model: type[Model], row: dict[str, Any], new: Renumber) -> dict[str, Any]:
    """Return a row that a document holds with new ids, and without the ids of accounts."""
    accounts = {column.attname for column in stored_fields(model) if column.related_model is User}
    plain = {name: None if name in accounts else value for name, value in row.items()}
    return BY_MODEL[model].renumbered(plain, new)


def _model(target: Any) -> type[Model]:
    found: type[Model] = target
    return found


def _each(value: Any, model: type[Model], new: Renumber) -> Any:
    if isinstance(value, list):
        return [new(model, each) for each in value]
    # 0 stands for none.
    return new(model, value) if value else value


#: What the keys of a hit are the ids of.
_HITS: Mapping[str, type[Model]] = {
    "memory": Memory,
    "message": Message,
    "note": Drawer,
    "relation": Statement,
    "entity": Entity,
}


def _hits(hits: Any, new: Renumber) -> Any:
    return [
        {
            key: new(_HITS[key], value) if key in _HITS and value else value
            for key, value in hit.items()
        }
        for hit in hits
    ]


def _results(results: Any, new: Renumber) -> Any:
    changed = {}
    for question, result in results.items():
        top = result.get("top")
        if top and top[0] in _HITS:
            result = {**result, "top": [top[0], new(_HITS[top[0]], top[1])]}
        changed[str(new(GoldenQuestion, int(question)))] = result
    return changed


def _by_memory(parts: Any, new: Renumber) -> Any:
    return {str(new(Memory, int(memory))): value for memory, value in parts.items()}


#: The tables of the rows in the bin, by name.
_IN_BIN: Mapping[str, type[Model]] = {
    model._meta.model_name or "": model for model in (Memory, MemorySource, MemoryRevision)
}


def _rows(rows: Any, new: Renumber) -> Any:
    return {
        name: [_in_document(_IN_BIN[name], row, new) for row in of_table]
        for name, of_table in rows.items()
    }


#: The lists of ids by which a merge of two memories is undone.
_MOVED: Mapping[str, type[Model]] = {
    "sources": MemorySource,
    "mentions": Mention,
    "statements": Statement,
    "said_twice": MemorySource,
}


def _statement_as(document: Any, new: Renumber) -> Any:
    changed = dict(document)
    for name, model in _MOVED.items():
        if name in changed:
            changed[name] = _each(changed[name], model, new)
    if "row" in changed:
        changed["row"] = _in_document(Memory, changed["row"], new)
    if "revisions" in changed:
        changed["revisions"] = {
            str(new(MemoryRevision, int(pk))): reason for pk, reason in changed["revisions"].items()
        }
    return changed


_OF_MEMORY = {"memory_id": Memory}
_TIME_OF_WORK: Mapping[str, Any] = {"lease_until": None}

TABLES: tuple[BundledTable, ...] = (
    BundledTable(HashKey, secrets=("token",), needs_passphrase=True),
    BundledTable(Secret, secrets=("token",), needs_passphrase=True),
    BundledTable(Agent),
    BundledTable(Group),
    BundledTable(GroupMember),
    BundledTable(Group.agents.through, owner="group"),
    BundledTable(EndUserAlias),
    # An app is connected anew by the person whose it is.
    BundledTable(ApiKey, secrets=("digest",), blank={"client_id": None}),
    BundledTable(Conversation),
    BundledTable(Message),
    BundledTable(Import, blank={**_TIME_OF_WORK, "file": ""}),
    BundledTable(ImportedConversation),
    BundledTable(CountedTexts),
    BundledTable(WordCount),
    BundledTable(EmbeddingSpace),
    BundledTable(Memory),
    BundledTable(MemorySource),
    BundledTable(MemoryRevision, documents={"statement_as": _statement_as}),
    BundledTable(Contradiction),
    BundledTable(MemoryEmbedding),
    BundledTable(RevisionEmbedding),
    BundledTable(Likeness),
    BundledTable(ArchivedMemory, _OF_MEMORY, {"rows": _rows}),
    BundledTable(Palace),
    BundledTable(Wing),
    BundledTable(Room),
    BundledTable(Closet),
    BundledTable(Drawer),
    BundledTable(DrawerEmbedding),
    BundledTable(Unfiled),
    BundledTable(Entity),
    BundledTable(Mention),
    BundledTable(Statement),
    BundledTable(Withdrawn),
    BundledTable(StoredDocument),
    BundledTable(DocumentEmbedding),
    # How they were filed is kept for the seconds of an undo.
    BundledTable(MutedMessage, blank={"filing": {}}),
    BundledTable(MutedNote, documents={"taken_out": _by_memory}),
    BundledTable(Run, blank=_TIME_OF_WORK),
    BundledTable(Usage),
    BundledTable(Answer),
    BundledTable(RecallLog, documents={"hits": _hits}),
    BundledTable(ToolRun, {"memory_ids": Memory}),
    BundledTable(ProposedDeletion, _OF_MEMORY),
    BundledTable(RefusedProposal),
    BundledTable(HeldStatement, {"contradicts": Memory}),
    BundledTable(Summary, {"newest_memory": Memory}, blank=_TIME_OF_WORK),
    BundledTable(SuppressionRule, _OF_MEMORY, needs_passphrase=True),
    BundledTable(SuppressedStatement, _OF_MEMORY, needs_passphrase=True),
    BundledTable(GoldenQuestion, {"memories": Memory, "messages": Message}),
    BundledTable(GoldenRound, documents={"results": _results}, blank=_TIME_OF_WORK),
    BundledTable(KeyRequest),
    BundledTable(SavedFilter),
    BundledTable(RetentionRule),
    BundledTable(Erasure, blank=_TIME_OF_WORK),
    BundledTable(Activity, _OF_MEMORY),
    BundledTable(LegalHold),
    # Last: it would be told of the memories that come back.
    BundledTable(Webhook, secrets=("token", "former_token"), blank=_TIME_OF_WORK),
)
BY_MODEL: Mapping[Any, BundledTable] = {table.model: table for table in TABLES}

#: Tables with rows of an instance that stay behind, each with the reason.
LEFT_OUT: dict[str, str] = {
    "instances.Membership": "access is given anew, to people of the server",
    "instances.MembershipInvitation": "access is given anew, to people of the server",
    "instances.CircuitBreaker": "the state of provider servers as this server sees it",
    "instances.AuthorizationCode": "apps are connected anew",
    "instances.AccessToken": "apps are connected anew",
    "instances.RefreshToken": "apps are connected anew",
    "conversations.UploadPart": "files on their way",
    "memoryapp.EmbeddingJob": "work under way",
    "memoryapp.IdempotentRequest": "answers to requests of the last day",
    "memoryapp.MemoryCount": "numbers that the database counts again",
    "memoryapp.MemoryMark": "marks that the database makes again",
    "memoryapp.VectorIndex": "indexes that are built again",
    "memoryapp.WebhookDelivery": "events on their way",
    "memoryapp.AuditRecord": "in a file of its own: the chain is the server’s",
}
#: Tables of the server, for all instances together.
OF_THE_SERVER = frozenset(
    {
        "admin.LogEntry",
        "auth.Group",
        "auth.Group_permissions",
        "auth.Permission",
        "contenttypes.ContentType",
        "sessions.Session",
        "account.EmailAddress",
        "account.EmailConfirmation",
        "mfa.Authenticator",
        "socialaccount.SocialAccount",
        "socialaccount.SocialApp",
        "socialaccount.SocialToken",
        "usersessions.UserSession",
        "instances.User",
        "instances.User_groups",
        "instances.User_user_permissions",
        "instances.PasswordLink",
        "instances.FailedSignIns",
        "instances.OAuthClient",
        "instances.IDToken",
        "instances.DeviceGrant",
        "instances.AllowedAddress",
        "instances.OutgoingConnections",
        "memoryapp.AuditForwarding",
    }
)
