"""Actor of a change, with the entry point."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from instances.models.people import User


@dataclass(frozen=True)
class Actor:
    """A person or a part of the system, as a line of the activity log names it."""

    #: None: the system itself. Then ``via`` says which part.
    user: "User | None" = None
    #: ``screen``, ``extraction``, or ``api`` with the prefix of the key.
    via: str = "screen"

    @property
    def name(self) -> str:
        """The name of the person or of the part, for a record that outlives their account."""
        return self.user.get_username() if self.user else self.via
