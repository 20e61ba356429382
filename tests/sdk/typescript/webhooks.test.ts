/** The check of webhooks, with what the product signs: pytest gives a body and its headers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { InvalidSignature, verify } from "../../../sdk/typescript/src/index.ts";

const SECRET = "whsec_c2VjcmV0";
const signed: { headers: Record<string, string>; old: Record<string, string>; body: string } =
  JSON.parse(process.env.SIGNED!);

test("the event is returned", async () => {
  const capitals = Object.entries(signed.headers).map(([name, value]) => [name.toUpperCase(), value]);
  for (const headers of [signed.headers, new Headers(signed.headers), Object.fromEntries(capitals)]) {
    for (const body of [signed.body, new TextEncoder().encode(signed.body)]) {
      const event = await verify(SECRET, headers, body);
      assert.deepEqual([event.type, event.data.id], ["memory.forgotten", 12]);
    }
  }
});

test("what was changed is refused", async () => {
  const { headers, body } = signed;
  const cases: [Record<string, string | undefined>, string][] = [
    [headers, body.replace("12", "13")],
    [{ ...headers, "webhook-id": "evt_2" }, body],
    [{ ...headers, "webhook-timestamp": "soon" }, body],
    [{ ...headers, "webhook-signature": "v1,ü" }, body],
    [{ ...headers, "webhook-signature": undefined }, body],
    [{}, body],
  ];
  for (const [changed, text] of cases) {
    await assert.rejects(verify(SECRET, changed, text), InvalidSignature);
  }
  await assert.rejects(verify("whsec_c3RyYW5nZXI=", headers, body), InvalidSignature);
});

test("another time is refused", async () => {
  await assert.rejects(verify(SECRET, signed.old, signed.body), InvalidSignature);
  assert(await verify(SECRET, signed.old, signed.body, { toleranceSeconds: 500 }));
});
