/** What the compiler has to refuse, and what it must not. */

import { Keepsake } from "keepsake-client";

export async function wrong(keepsake: Keepsake): Promise<void> {
  // @ts-expect-error: no such option
  await keepsake.remember("A fact.", { userId: "ana" });
  // @ts-expect-error: no such category
  await keepsake.correct(1, { category: "secret" });
  // @ts-expect-error: a message has a role
  await keepsake.rememberMessages(1, [{ content: "Hello." }]);
  // @ts-expect-error: statements that wait for review have no id
  await keepsake.forget((await keepsake.remember("A fact.")).id);
  // @ts-expect-error: what a server sends may be absent
  (await keepsake.search("a fact")).items[0].memory.content;
  const days: (string | null)[] = [];
  for await (const memory of keepsake.memories({ since: new Date() })) days.push(memory.valid_until);
  const archive: BlobPart[] = [];
  for await (const piece of keepsake.exportPerson("ana")) archive.push(piece);
}
