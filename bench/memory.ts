import { join } from "node:path";
import { z } from "zod";
import { startMailbox } from "../scripts/weather/mailbox.ts";
import { startWorker } from "../scripts/worker.ts";
import { newBrowser } from "../tests/support/client.ts";
import { connectD1 } from "../tests/support/d1-client.ts";
import { copyMigratedDatabase } from "../tests/support/migrated-database.ts";
import { anAdmin, aSignedInUser, manyUsers, newEmail } from "../tests/support/people.ts";

// Prints how much of the isolate's heap is live while 64 requests are answered at once, over 10,000
// users. An isolate has 128 MB. Build first, then: MINIFLARE_WORKERD_V8_FLAGS=--expose-gc node
// scripts/bootstrap.cjs bench/memory.ts

const AT_ONCE = 64;
const ROUNDS = 4;
const MB = 1_048_576;
const [PORT, INSPECTOR_PORT] = [13_977, 13_978];
const origin = `http://localhost:${PORT}`;

await using mailbox = await startMailbox();
await using data = await copyMigratedDatabase();
const secret = crypto.randomUUID() + crypto.randomUUID();
await using worker = await startWorker({
  port: PORT,
  inspectorPort: INSPECTOR_PORT,
  persist: data.folder,
  onLog({ level, message }) {
    if (level === "error") console.error(message);
  },
  databaseWorker: join(import.meta.dirname, "../tests/support/d1-worker.js"),
  vars: {
    BASE_URL: origin,
    BETTER_AUTH_SECRET: secret,
    RESEND_API_KEY: mailbox.apiKey,
    RESEND_BASE_URL: mailbox.url,
  },
});
const d1 = connectD1(await worker.getDatabaseUrl());
const gatehouse = { ...worker, origin, secret, d1 };
const { browser: admin } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);
// Node may send a request on a connection that the server has just given up.
const alone = { headers: { connection: "close" } };
for (let part = 0; part < 20; part++) await manyUsers(gatehouse, Array(500).fill({}));
const anyone = newBrowser(gatehouse);

const PAGES: Record<string, () => Promise<Response>> = {
  "/login": () => anyone.get("/login", alone),
  "/login, drawn": () => anyone.get("/login?redirect=%2Fapp%2Faccount", alone),
  "/app": () => user.get("/app", alone),
  "users, searched": () => admin.get("/manager/users?searchTerm=ami", alone),
  "a code is asked for": () =>
    newBrowser(gatehouse).submit("/login", { intent: "email", email: newEmail() }),
  "export of 10,000 users": () => admin.get("/manager/users/export", alone),
};

const Message = z.object({
  id: z.number().optional(),
  result: z.object({ usedSize: z.number().optional() }).optional(),
  params: z.object({ context: z.object({ id: z.number() }).optional() }).optional(),
});
const waiting = new Map<number, (bytes: number) => void>();
let contextId = 0;
const inspector = new WebSocket(`ws://127.0.0.1:${INSPECTOR_PORT}/core:user:gatehouse`);
inspector.onmessage = (event) => {
  const { id, result, params } = Message.parse(JSON.parse(String(event.data)));
  contextId = params?.context?.id ?? contextId;
  if (id !== undefined) waiting.get(id)?.(result?.usedSize ?? 0);
};
await new Promise((resolve) => {
  inspector.onopen = resolve;
});
let calls = 0;
await ask("Runtime.enable");

/** Calls a method of the inspector. Returns the bytes of the heap that are in use, where the answer has them. */
function ask(method: string, params = {}): Promise<number> {
  calls += 1;
  inspector.send(JSON.stringify({ id: calls, method, params }));
  return new Promise((resolve) => waiting.set(calls, resolve));
}

async function measureLive(): Promise<number> {
  // Sent together, so that nothing runs between the collection and the measurement.
  void ask("Runtime.evaluate", { expression: "gc()", contextId });
  return (await ask("Runtime.getHeapUsage")) / MB;
}

console.log(`at rest: ${(await measureLive()).toFixed(1)} MB`);
for (const [name, open] of Object.entries(PAGES)) {
  let isOpen = true;
  const measure = async () => {
    let [high, live] = [0, 0];
    for (let turn = 0; isOpen; turn++) {
      high = Math.max(high, (await ask("Runtime.getHeapUsage")) / MB);
      if (turn % 10 === 0) live = Math.max(live, await measureLive());
    }
    return `live ${live.toFixed(1)} MB, with garbage ${high.toFixed(1)} MB`;
  };
  const measured = measure();
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, open));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  }
  isOpen = false;
  console.log(`${name}: ${await measured}`);
}
inspector.close();
