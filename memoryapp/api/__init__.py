"""The APIs for programs: thin, calling the same code as the screens.

- `rest` is the REST API, a module for each resource; `pipeline_endpoints` (store and retrieve) and
  `rest.tools` (calls of a model) are other ways to the same data.
- `mcp` serves the same tools to agents, over the Model Context Protocol.
- `v1` serves the clients of OpenAI and Anthropic, and `mem0` mem0's own client.

They share authentication (`auth`, and `challenges` for clients without access), error responses
(`errors`, `json_errors`), the way to create a memory (`rest.memory_create`), pages (`paging`),
`idempotency` and `throttling`.
"""

#: The address of the present version of the REST API, which is served below `/api` as well.
VERSION = "/api/v1"
