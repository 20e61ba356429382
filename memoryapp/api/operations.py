"""Declarations that operations of the REST API share: permissions and answers."""

from functools import partial
from typing import Any

from instances.models import Permission
from memoryapp.api.auth import needs
from memoryapp.api.errors import problems


def operation(
    permission: Permission | None,
    answer: Any,
    summary: str,
    *errors: int,
    keeps_to_person: bool = False,
    of_members: bool = False,
) -> dict[str, Any]:
    """Return arguments for `router.get` and its siblings. *answer* is the schema of the response,
    or a schema by status; *errors* are statuses besides those that any operation may answer with.
    An operation that *keeps to the person* of a key may be called with such a key. What is *of
    members* is not for people who may only read the instance.
    """
    answers = answer if isinstance(answer, dict) else {200: answer}
    if permission not in (None, Permission.READ):
        # Another request was faster, or a legal hold keeps what was to be deleted.
        errors = (*errors, 409)
    return {
        "auth": needs(permission, keeps_to_person=keeps_to_person, of_members=of_members),
        "response": answers | problems(*errors),
        "summary": summary,
    }


#: For operations that any key may call, and for those that need one of its permissions.
anyone = partial(operation, None, keeps_to_person=True)
reads = partial(operation, Permission.READ)
writes = partial(operation, Permission.WRITE)
deletes = partial(operation, Permission.DELETE)
#: For managers, and for keys that they trust with a person's file.
of_people = partial(operation, Permission.PEOPLE)
#: For managers, and for keys that they let connect other programs.
of_webhooks = partial(operation, Permission.WEBHOOKS)
#: The same for keys of one person: they see and change nothing that is not about that person.
reads_own = partial(reads, keeps_to_person=True)
writes_own = partial(writes, keeps_to_person=True)
exports_own = partial(reads_own, of_members=True)
deletes_own = partial(deletes, keeps_to_person=True)
