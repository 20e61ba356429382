"""The tables of the admin by area, and those that it leaves out, with the reasons."""

from django.utils.translation import gettext_lazy as _

from memoryapp.admin import access, conversations, memories, palace_and_graph, work
from memoryapp.admin.site import register, site

_KEPT_BY_PROGRAMS = "kept by triggers and workers; the screens show its numbers"
_VECTORS = "numbers that tell a person nothing"
_SECRET = "lets its holder in"  # noqa: S105 - a reason
_UNUSED = "of a library, and unused"
_FORGOTTEN = "holds the text of what was forgotten, which is in the transcript only"

#: Tables that are not shown, by their labels.
LEFT_OUT = {
    "memoryapp.MemoryCount": _KEPT_BY_PROGRAMS,
    "memoryapp.MemoryMark": _KEPT_BY_PROGRAMS,
    "memoryapp.AuditForwarding": "one row, which the page Audit log shows",
    "memoryapp.AuditRecord": "nothing may change it, and the page Audit log shows it",
    "memoryapp.Palace": _KEPT_BY_PROGRAMS,
    "memoryapp.Unfiled": _KEPT_BY_PROGRAMS,
    "memoryapp.Withdrawn": _KEPT_BY_PROGRAMS,
    "memoryapp.Likeness": _KEPT_BY_PROGRAMS,
    "memoryapp.Mention": "the names of an entity, which its screen shows",
    "memoryapp.Version": "a view of memories and their versions, which are shown",
    "memoryapp.IdempotentRequest": "holds answers to programs for a day, with their texts",
    "memoryapp.MemoryEmbedding": _VECTORS,
    "memoryapp.DrawerEmbedding": _VECTORS,
    "memoryapp.DocumentEmbedding": _VECTORS,
    "memoryapp.RevisionEmbedding": _VECTORS,
    "memoryapp.MutedMessage": _FORGOTTEN,
    "memoryapp.MutedNote": _FORGOTTEN,
    "conversations.CountedTexts": _KEPT_BY_PROGRAMS,
    "conversations.WordCount": _KEPT_BY_PROGRAMS,
    "conversations.UploadPart": "pieces of a file that waits for its import, which is shown",
    "conversations.ImportedConversation": "links imports with conversations, which are shown",
    "instances.HashKey": _SECRET,
    "instances.AuthorizationCode": _SECRET,
    "instances.FailedSignIns": "names nobody: it holds hashes of names and addresses",
    "instances.IDToken": _UNUSED,
    "instances.DeviceGrant": _UNUSED,
    "sessions.Session": _SECRET,
    "usersessions.UserSession": "a person's own browsers, which Your account shows to them alone",
    "socialaccount.SocialApp": _UNUSED,
    "socialaccount.SocialToken": _SECRET,
    "account.EmailAddress": _UNUSED,
    "account.EmailConfirmation": _UNUSED,
    "auth.Group": _UNUSED,
    "auth.Permission": _UNUSED,
    "contenttypes.ContentType": _UNUSED,
    "admin.LogEntry": "nothing is written to it: changes are in the activity",
}

register(_("Instances"), access.INSTANCES)
register(_("Memory"), memories.TABLES)
register(_("Conversations"), conversations.TABLES)
register(_("Palace and graph"), palace_and_graph.TABLES)
register(_("Work and logs"), work.TABLES)
register(_("People"), access.PEOPLE)
register(_("Programs and connections"), access.PROGRAMS)

__all__ = ["LEFT_OUT", "site"]
