"""What operations of the REST API declare alike: who may call them, and how they answer."""

from functools import partial
from typing import Any

from instances.models import Permission
from memoryapp.api.auth import needs
from memoryapp.api.errors import problems


def operation(
    permission: Permission | None, answer: Any, summary: str, *errors: int
) -> dict[str, Any]:
    """Return arguments for `router.get` and its siblings. *answer* is the schema of the response,
    or a schema by status; *errors* are statuses besides those that any operation may answer with.
    """
    answers = answer if isinstance(answer, dict) else {200: answer}
    return {
        "auth": needs(permission),
        "response": answers | problems(*errors),
        "summary": summary,
    }


#: For operations that any key may call, and for those that need one of its permissions.
anyone = partial(operation, None)
reads = partial(operation, Permission.READ)
writes = partial(operation, Permission.WRITE)
deletes = partial(operation, Permission.DELETE)
#: For managers, and for keys that they trust with a person's file.
of_people = partial(operation, Permission.PEOPLE)
