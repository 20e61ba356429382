"""What is remembered.

The map of the house. Three floors, each standing only on those below it::

    memoryapp         what is remembered
    conversations     what was said
    instances         who remembers, and who may look

Two journeys, one door each::

    a reply is stored ─ same transaction ─ Run(queued) ─ on commit ─ Celery ─ extraction ─┐
    the New memory form ──────────────────────────────────────────────────────────────────┼─ pipeline.remember() ─ Memory
    tools.save, api, imports, load_demo ──────────────────────────────────────────────────┘
    the same reply ─ same transaction ─ Run(queued) ─ on commit ─ Celery ─ mining ─ palace.file_messages() ─ Drawer
    a question (screen, chat, API, tools.search) ─ recall.recall() ─ hits ─ screen, or context.block()

The rooms of this floor, from the top step to the bottom one. Each may import what is below it, and
none its neighbour (``lint-imports`` checks it)::

    apps                    connects the rooms when Django starts
    urls asgi celery        entry points
    http_protocol           uvicorn's HTTP protocol, with a deadline for request headers
    checks                  mistakes in the settings, found at the start
    receivers               handlers of the signals of lower floors
    management              commands: run, load_demo, backfill, mine, import_conversations,
                            import_memories, create_first_admin, rotate_encryption_key
    templatetags            filters and tags of the templates
    request_limits          size and speed of requests, checked before Django reads them
    web | api               the screens, one folder each | REST, MCP, mem0 and OpenAI endpoints
    tasks                   Celery: each task loads rows and makes one call
    openai_proxy            /v1: requests of any OpenAI client, passed on with memory
    assistant | imports     the chat: recalls, answers, remembers | files of memories
    tools                   what a model may do with the memory: search, list, save, forget
    extraction              conversation → candidate memories
    mining                  conversation → places in the palace, relations in the graph
    context                 ranked memories → the text that a model is shown
    pipeline                candidate → row: validation, embedding, merging, dedup, storage; edit,
                            delete, undo
    recall                  question → ranked memories: analysis, retrieval, scoring, explanation
    palace                  the messages again, verbatim, by subject and topic
    graph                   entities and relations, with the time for which each holds
    summary                 a person in a few sentences
    health                  what the store looks like, and what would help
    embeddings              text → vector: spaces, indexes, re-embedding, back-fill
    llm                     typed answers of a language model, recorded in the usage log and capped
    runs                    background work: execution, locks
    models                  tables, constraints, querysets; calls nothing outside the database
    providers               one gate for every call to a model server; the built-in embedder
    policy                  decisions about statements: the same fact? which of two holds?     pure
    text                    secrets, excerpts, recalled context                                pure
    settings                all from the environment
    environment             reading it, and refusing values of the wrong type
    telemetry               logs, metrics, heartbeats
    fair_slots              limits what one process does at once, with a share for each holder
    outage_pause            leaves out calls to a server that has just failed
    embedded                PostgreSQL and Redis for the zero-setup run, and their supervisor; no Django

Beside it: ``templates`` and ``static`` (ours, small, no build step), ``tests`` (mirrors the code),
``benchmarks`` (recall on real conversations; which facts are the same; secrets in labelled text;
the screens with ten thousand memories; search among many instances; how fast vectors are made;
what ``/v1`` adds to the first token), ``Dockerfile`` and ``docker-compose.yml`` (running it for others).
"""
