"""The audit log beyond its table: its chain, the check of it, and archives of a period.

::

    chaining       numbers and digests for committed records
    verification   the check of a chain, of the log or of an archive
    archive        the records of a period as one file
    looks          who looks at what, where an instance records it
    forwarding     records on their way to a collector

The table and its triggers are in `memoryapp.models.audit_records`.
"""
