// mem0's client for JavaScript. Prints what came of its calls.
import { MemoryClient } from "mem0ai";

const [host, apiKey] = process.argv.slice(2);
const client = new MemoryClient({ host, apiKey });
const said = [{ role: "user", content: "The user likes vanilla." }];
const added = await client.add(said, { userId: "ana", infer: false });
const { id } = added.results?.[0] ?? added[0];
const found = await client.search("vanilla", { filters: { user_id: "ana" } });
const listed = await client.getAll({ filters: { user_id: "ana" } });
await client.update(id, { text: "The user likes chocolate." });
const history = await client.history(id);
await client.feedback({ memoryId: id, feedback: "POSITIVE" });
const one = await client.get(id);
await client.delete(id);
const left = await client.getAll({ filters: { user_id: "ana" } });
console.log(
  JSON.stringify({
    found: found.results.map((each) => each.memory),
    listed: listed.results.length,
    updated: one.memory,
    versions: history.length,
    left: left.results.length,
  }),
);
