"""What has been uploaded: looked through, and brought in once somebody has said so.

::

    an uploaded file ─┬─ messages ─ conversations.importers ─ turns.append ─ Run(queued), if wanted
                      └─ memories ─ memory_file ─ pipeline.remember()
                                        └─ foreign: mem0, OpenMemory, the MCP memory server

`check` says what would come in and what reading it for facts would take; `store` does it. Both
may be cut off at any moment and begun again.
"""

from memoryapp.imports.dispatch import (
    ExtractionEstimate,
    check,
    leave_unread,
    read_for_facts,
    store,
)

__all__ = ["ExtractionEstimate", "check", "leave_unread", "read_for_facts", "store"]
