"""What is remembered.

The map of the house. Three floors, each standing only on those below it::

    memoryapp         what is remembered
    conversations     what was said
    instances         who remembers, and who may look

The journeys, one door each::

    a reply is stored ─ same transaction ─ Run(queued) ─ on commit ─ Celery ─ extraction ─┐
    the New memory form ──────────────────────────────────────────────────────────────────┼─ pipeline.remember() ─ Memory
    the demo ─────────────────────────────────────────────────────────────────────────────┘
    tools.save ← assistant, relay, MCP ───────────────────────────────────────────────────┘
    the same reply ─ same transaction ─ Run(queued) ─ on commit ─ Celery ─ mining ─ palace.file() ─ Drawer
    a question (screen, API, chat, tools.search) ─ recall.recall() ─ hits ─ <memory_context>

The rooms of this floor, from the top step to the bottom one; each may use what is below it, and
none its neighbour (``lint-imports`` checks it)::

    apps                    ties the rooms together when Django starts
    urls asgi celery        the front doors
    http_protocol           uvicorn's HTTP protocol, with a deadline for request headers
    checks                  mistakes in the settings, found at the start
    receivers               what follows from what happens on the floors below
    management              run, load_demo, backfill, mine, create_first_admin,
                            rotate_encryption_key
    templatetags            how things are written on the screens
    request_limits          size and speed of requests, checked before Django reads them
    web | api               the screens, one module each | the doors for programs
    tasks                   Celery: each task loads rows and makes one call
    relay                   /v1: any OpenAI client's requests, passed on with memory
    assistant               the chat: recalls, answers, remembers
    tools                   what a model may do with the memory: search, list, save, forget
    arrivals                an uploaded file: what is in it, and bringing it in
    extraction              conversation → candidate memories: transcript, prompt, parse
    mining                  conversation → places in the palace, and what the graph learns: windows,
                            prompt, parse
    pipeline                candidate → row: admission (secrets, what was deleted), embedding,
                            merging, assessment, dedup, storage; undoing, forgetting, joining
    recall                  question → ranked memories: by meaning and by words, weighed, read
                            once more by a model if wanted, told to the assistant, explained
    palace                  the turns again, word for word, by subject and topic: filing, words,
                            vectors
    graph                   who and what was spoken of, and what held when: learning, correcting,
                            asking
    summary                 what is remembered of a person, told in a few sentences
    health                  keeping the store in good order: backfill, indexes, decay, readiness;
                            what it looks like and what would help: diagnosis, survey, advice
    models                  memory, palace, graph, names, pointers, vectors, runs, ledger (activity,
                            usage), spending, answers
    providers               the outside world: chat, embeddings, the built-in embedder; which parts of
                            an answer are passed on; the circuit breaker
    settings                all from the environment
    environment             reading it, and refusing values of the wrong type
    telemetry               what an operator sees: signs of life, log lines, figures
    slots                   fair shares of what one process does at once
    embedded                PostgreSQL and Redis for the zero-setup run, and the supervisor that keeps
                            them and our own processes running; no Django inside

Beside it: ``templates`` and ``static`` (ours, small, no build step), ``tests`` (mirrors the code),
``benchmarks`` (recall on real conversations; which facts are the same; secrets in labelled text;
the screens with ten thousand memories; search among many instances; how fast vectors are made;
what ``/v1`` adds to the first token), ``Dockerfile`` and ``docker-compose.yml`` (running it for others).
"""
