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

The packages of this app with their modules, from the top layer to the bottom one. Each imports only
what is below it (``lint-imports`` checks this; docs/architecture.md shows the layers)::

    apps                    connects the packages when Django starts
    web_server              the web server of ``manage.py run``, which also sets up the database
    urls asgi celery        entry points
    http_protocol           uvicorn's HTTP protocol, with limits for silent connections
    checks                  system checks of the settings
    receivers               signal handlers
    management              code of the commands
                              arguments demo_answers output set_up
      management/commands   ``manage.py`` commands
                              apply_erasures backfill count_memories create_first_admin distribute
                              import_conversations import_memories load_demo migrate mine
                              partition rotate_encryption_key run set_up
    templatetags            filters and tags of the templates
                              accounts amounts conversations days graph icons links mappings memories
                              scores texts
    scheduler               periodic tasks, sent by one of the workers
    request_limits          size, speed and number of requests
                              application body_sizes error_responses shares
    addresses               redirects to the one spelling of an address, with or without a slash
    admin                   Django's admin at ``/admin/``
                              access actions base columns conversations filters labels memories
                              palace_and_graph search site tables work
    web                     the screens, one folder each, and what they share
                              ability_words amounts caching charts connection_test day_formats days
                              error_pages health_checks highlight layout model_servers navigation
                              reasons row_selection script_texts status version_token
      web/activity          ``/activity``
                              sentences views
      web/api_keys          page of an API key
                              views
      web/chat              ``/chat``
                              markdown sse thread views
      web/conversations     actions on ``/conversations``
                              imports message_signs views
      web/embeddings        card of the settings
                              views
      web/graph             ``/memory/graph``
                              edit entity_page graph_layout timeline views
      web/health            ``/memory/health``
                              processes recommendation_texts recommendations servers views
      web/jobs              ``/jobs``
                              job_list views
      web/memory            ``/memory``
                              bin bulk_edit bulk_merge contradictions delete edit export filter_choices
                              forms history list_counts listing merge page past refused review rollback
                              rollback_links saved_filters suppression tags views words
      web/palace            ``/memory/palace``
                              backfill delete drawers listing notes reorganise tree views
      web/palette           ``/palette``
                              commands views
      web/people            ``/memory/people``
                              views
      web/profile           ``/memory/profile``
                              timeline views
      web/proposals         ``/memory/proposals``
                              cards views
      web/recall            ``/memory/recall``
                              explanation listing results score_bars views weights
      web/store             ``/memory/documents``
                              excerpts namespace_text views
      web/usage             ``/usage``
                              views
      web/webhooks          the log of a webhook
                              views
      web/welcome           the first run
                              views
    api                     REST at ``/api``
                              auth bodies challenges client_snippets conditional conversations
                              errors fields graph health idempotency imports instances json_errors
                              key_requests
                              memories memory_bulk memory_changes memory_create messages ninja_api
                              not_found openapi_document operations paging palace palace_notes people
                              pipeline_endpoints refused removal request_shares
                              response_headers rest review revisions rollback runs schemas search
                              store summary throttling tools
      api/v1                clients of OpenAI and Anthropic at ``/v1``
                              chat_completions embeddings errors messages relay requests
                              responses urls
      api/mcp               the Model Context Protocol at ``/mcp``
                              consent endpoint prompts resources server session
      api/mem0              endpoints of mem0's client and of its self-hosted server
                              add auth bodies entities entity_scope events export_shape exports
                              feedback filters ids label_removal memories metadata_filters
                              pages project schemas search server timestamps urls
    tasks                   Celery: each task loads rows and makes one call
                              dispatch sweep
    openai_proxy            requests to ``/v1``, passed on to the provider with memory
                              chat_chunks chat_wire client_frames client_tasks client_templates
                              conversation_matching message_filter messages_format messages_request
                              messages_transcript messages_wire proxy request responses_format
                              stored_history tool_call_filter transcript turn_context
                              upstream_request wire worker_threads written_calls
    assistant               the chat: recalls, answers, remembers
                              answer answer_threads cancellation events prompt submission
                              thread_registry tool_calls
    imports                 files of memories
                              assistants converters dispatch export_lines file_format graph_facts
                              memory_import openmemory preview tables written_memories
    tools                   what a model may do with the memory, one verb each
                              arguments catalogue dispatch documents forget list result_items save
                              search
                              tool tool_context
    people                  all that is kept about an end user: its export and its erasure
                              certificate erasure erasure_list export inventory joining listing
                              restored_backup
    extraction              conversation → candidate memories
                              candidates gate llm_call message_status parse prompt readers
                              run transcript windows
    mining                  conversation → places in the palace, relations in the graph
                              llm_call parse placement prompt queue run windows
    context                 ranked memories → the text that a model is shown
                              block builder placement
    store                   exact JSON documents by namespace and key
                              admission namespaces search writing
    pipeline                candidate → row; edit, delete, undo
                              archive assessment bulk_edit candidates change_source
                              conversation_deletion
                              deletion dry_run duplicate_merge editing feedback gate_source holding
                              import_removal influence kept_filing keyed_rows labelling llm_merge
                              muting neighbours note_muting packed_candidates plan proposals
                              refusals repetitions review rollback snapshot source_links storage suppression
                              undo undo_buffer
                              validation versions working_set write
    recall                  question → ranked memories
                              as_of dates entries explanation floor fusion hit_entries
                              han_dates hydration
                              options pointers precedence query query_analysis rephrasing
                              rerank_prompt reranking results retrieval scoring search search_scope sql
                              vector_search
    palace                  the messages again, verbatim, by subject and topic
                              deletion filing notes reorganisation
    graph                   entities and relations, with the time for which each holds
                              corrections ingestion neighbourhood predicates
    summary                 a person in a few sentences
                              generation prompt
    health                  the condition of the store, and what would improve it
                              clustering database_outages decay diagnosis duplicate_scan
                              failing_servers metrics readiness recommendations stalled_work
                              waiting_work
    webhooks                events for other programs, signed
                              delivery payload retries signature
    embeddings              text → vector: spaces, indexes, re-embedding, back-fill
                              backfill background comparison_verdict document_vectors drawer_text
                              drawer_vectors embedder index_recall_check language_support missing_vectors
                              model_comparison reembedding search_text
                              vector_indexes vector_progress
    llm                     calls to a language model with typed answers, recorded in the usage log
                              answers model_measurement structured
    runs                    execution of background work, locks
                              execution local_server locks
    disclosure              the exit for what was said: messages as others may read them
    citus                   the tables on a cluster of Citus, there and back
                              distribution
    partitions              the tables in partitions by instance, there and back
                              catalogue conversion keys
    schema                  the tables as a whole: the server they need, who migrates them
                              comparison fitness migration_lock
    models                  tables, constraints, querysets; calls nothing outside the database
                              aaak activity answers archived_memories contradictions
                              duplicate_pairs embedding_jobs embedding_spaces end_dates erasures
                              fact_matches fair_queue graph held_statements idempotency key_requests
                              memory memory_choices memory_count_sql memory_counts muted_messages
                              muted_notes names pagination
                              palace palace_triggers prepared_statements proposed_deletions
                              refused relations runs saved_filters spending stored_documents
                              stored_rows summaries suppression transition_tables usage usage_report
                              vectors versions webhook_deliveries
    providers               calls to model servers, and to the built-in embedders
                              abilities builtin_embedder chat chat_stream chunk_merging
                              circuit_breaker client configured embeddings endpoints errors
                              event_stream field_values json_extraction json_mending key_redaction
                              measuring message_assembly messages_api messages_filter
                              native_answers nesting refusals response_filter server_info
                              stream_chunks thinking
    builtin_model           the built-in embedding models, each in a process of its own; no Django
                              catalogue client conversion converted_files e5_file e5_graph
                              e5_tokenizer files frames integer_arithmetic interpreter loading
                              location model process queue rewriting sentence_pieces word_pieces
    builtin_reader          messages → facts by rules and a small classifier, without a model
                              asides classifier clauses dates last_days mixed notes opening_moment
                              pronouns ratings reader sentences slots statement
      builtin_reader/languages  words, patterns and verb forms of each language
                              accents appositions asking english english_notes english_person
                              english_slots english_verbs french french_notes french_person french_verbs
                              german german_notes german_person italian italian_notes italian_person
                              italian_verbs language notes plans pronouns romance_gender romance_grammar
                              romance_objects romance_person romance_possessives romance_verbs spanish
                              spanish_notes spanish_person spanish_verbs topics
    policy                  decisions about statements: pure functions
                              dedup endings evidence fact_signature fiction injection keyed_facts
                              labels memory_need minhash normal_form quotation relevance
                              request_words restatement review similarity_scale speaker_labels speech
                              statement_change subjects succession turn_nature turn_phrases version_rollback
                              word_lists word_order
      policy/gate           whether a model's proposal is supported by what it has read
                              check imperatives moments month_dates names negations numerals reasons
                              relative_days requests residence source speech_acts times values words
    text                    secrets, excerpts, written tool calls: pure functions
                              call_values entities excerpts json_texts marking plurals recalled_context
                              redaction_words shortening spans speakers verbatim written_calls
                              written_lists
      text/pii              secrets and personal identifiers
                              announced_elsewhere announced_secrets codes credentials encodings
                              hints identifiers masking normalisation phones secret_shapes
                              secret_words wallets
    language                words, dates and questions: what is known of each language, in a module of it
                              calendar_days command_words denial_words denials detection english
                              fact_words fiction_words french german home_words italian joining_words
                              narration_words number_words numerals portuguese question_words
                              relative_dates spanish speech_words time_words turn_words vocabularies
                              vocabulary words
    settings                Django's settings
    environment             reads settings from the environment
    telemetry               logs, metrics, heartbeats
                              addresses counters heartbeat logs middleware redis_store tasks
                              timings
    outage_pause            pauses after a failure, so that a broken service is not called each time
    fair_slots              limits what one process does at once, with a share for each holder
    size                    how much of the machine is taken: `small` or `large`
    embedded                PostgreSQL and Redis for the zero-setup run, and their supervisor; no Django
                              guard keys locations paths postgres processes program redis
                              restarts run server stop_signals supervisor

Next to it: ``templates`` and ``static`` (plain HTML, CSS and JavaScript, no build step), ``tests``
(mostly mirrors the code), ``benchmarks`` (recall, extraction, deduplication, redaction, the gate, poisoning, imports, scale, screens, attacks),
``docs``, ``Dockerfile``, ``docker-compose.yml`` and ``Caddyfile``.
"""

#: As in pyproject.toml and the image.
__version__ = "0.1.0"
