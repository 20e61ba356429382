"""Memories: extraction, storage, search, and the screens and APIs for them.

The map of the code; docs/architecture.md explains it. There are three apps, each of which imports
only those below it::

    memoryapp         memories
    conversations     conversations and their messages
    instances         instances, people, permissions

How a message becomes a memory, and how a question is answered::

    a reply is stored ─ same transaction ─ Run(queued) ─ on commit ─ Celery ─ extraction ─┐
    the New memory form ──────────────────────────────────────────────────────────────────┼─ pipeline.remember() ─ Memory
    tools.save, api, imports, load_demo ──────────────────────────────────────────────────┘
    the same reply ─ same transaction ─ Run(queued) ─ on commit ─ Celery ─ mining ─ palace.filing ─ Drawer
    a Memory is stored, changed or deleted ─ same transaction ─ WebhookDelivery ─ on commit ─ Celery ─ webhooks.delivery
    a question (screen, chat, API, tools.search) ─ recall.recall() ─ hits ─ screen, or context.block.block()

The packages of this app, from the top layer to the bottom one. Each imports only what is below it
(``lint-imports`` checks this; docs/architecture.md shows the layers)::

    command_line        ``manage.py``, or ``keepsake`` where the package is installed
    apps                connects the packages when Django starts
    urls asgi celery    entry points
    checks              system checks of the settings
    receivers           signal handlers
    management          ``manage.py`` commands
    templatetags        filters and tags of the templates
    serving             the run without anything installed: supervisor, web server, set-up
    scheduler           periodic tasks, sent by one of the workers
    request_limits      size, speed and number of requests
    addresses           redirects to the one spelling of an address, with or without a slash
    admin               Django's admin at ``/admin/``
    web                 the screens, one folder each, and what they share
    api                 the doors for programs, one folder each: rest, mcp, mem0, v1
    tasks               Celery: each task loads rows and makes one call
    assistant           the chat: recalls, answers, remembers
    imports             files of memories
    tools               what a model may do with the memory, one verb each
    people              all that is kept about an end user: its export and its erasure
    extraction          conversation → candidate memories
    mining              conversation → places in the palace, relations in the graph
    context             ranked memories → the text that a model is shown
    golden              golden questions: asked each night, and what got better or worse
    documents           exact JSON documents by namespace and key
    bundle              everything of an instance as one file, and back
    trust               influence of sources: review, refused proposals, rollback of a source
    forgetting          delete, archive, mute; retention and legal holds; the undo of a deletion
    audit               the audit log: its chain, its check, archives, the way to a collector
    pipeline            candidate → row; edit, merge, undo
    recall              question → ranked memories
    palace              the messages again, verbatim, by subject and topic
    graph               entities and relations, with the time for which each holds
    summary             a person in a few sentences
    health              the condition of the store, and what would improve it
    webhooks            events for other programs, signed
    suppression         what must not be learned again, kept, or sent to a model
    embeddings          text → vector: spaces, indexes, re-embedding, back-fill
    llm                 calls to a language model with typed answers, recorded in the usage log
    runs                execution of background work, locks
    citus               the tables on a cluster of Citus, there and back
    partitions          the tables in partitions by instance, there and back
    disclosure          the exit for what was said: messages as others may read them
    schema              the tables as a whole: the server they need, who migrates them
    models              tables, constraints, querysets; calls nothing outside the database
    providers           calls to model servers; the built-in embedding models
    reader              messages → facts by rules and a small classifier, without a model
    policy              decisions about statements: same fact? was it said? what needs memory? what is sensitive?
    privacy             secrets and identifiers, masking, excerpts
    language            words, dates and questions: what is known of each language
    settings            Django's settings
    embedded            PostgreSQL and Redis for the run without anything installed
    telemetry           logs, metrics, traces, heartbeats
    process             what each process needs: environment, size, shares of its threads

Next to it: ``templates`` and ``static`` (plain HTML, CSS and JavaScript, no build step), ``tests``
(mostly mirrors the code), ``benchmarks`` (recall, extraction, deduplication, redaction, the gate, sensitive areas, poisoning, imports, bundles, scale, screens, attacks),
``docs``, ``sdk`` (clients, a package of its own for each language), ``Dockerfile``,
``docker-compose.yml`` and ``Caddyfile``.
"""

#: As the package and the image have it, too.
__version__ = "0.1.0"
