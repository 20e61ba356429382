"""Imports of uploaded files: checked first, and stored once a person has confirmed them.

::

    an uploaded file ─┬─ messages ─ conversations.importers ─ messages.append ─ Run, if wanted
                      └─ memories ─ file_format ─ pipeline.remember()
                                        ├─ converters: mem0, OpenMemory, the MCP memory server
                                        └─ assistants: exports of ChatGPT and Claude

`check` counts what would be stored and estimates what reading it for facts would take; `store`
stores it. Both may be interrupted at any moment and run again. For a file with messages and
memories, a person chooses which of them to import first.
"""
