"""The APIs for programs: thin, calling the same code as the screens.

- `rest` assembles the REST API from a module per resource, such as `memories` and `conversations`;
  `pipeline_endpoints` (store and retrieve) and `tools` (calls of a model) are other ways to the
  same data.
- `mcp` serves the same tools to agents, over the Model Context Protocol.
- `v1` serves the clients of OpenAI and Anthropic, and `mem0` mem0's own client.

They share authentication (`auth`, and `challenges` for clients without access), error responses
(`errors`, `json_errors`), the way to create a memory (`memory_create`), pages (`paging`),
`idempotency` and `throttling`.
"""
