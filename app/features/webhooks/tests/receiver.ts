import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { insertRows } from "../../../../tests/support/insert.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { createKeys } from "../../../runtime/keys.server.ts";

/** Host of all receivers; each is a path of it. */
const HOST = "hooks.example.com";

/** A delivery as a receiver got it. */
export type Received = {
  id: string;
  headers: Record<string, string>;
  body: string;
  /** What the receiver answered; 0 when it never did. */
  status: number;
};

/** How a receiver answers a request: with a status, or not at all. */
type Answer = number | "hang" | { status: number; body?: string; headers?: Record<string, string> };

/** A server with receivers of webhooks. Give `standIns` to `startGatehouse`, and then make endpoints. */
export async function startReceivers() {
  const received = new Map<string, Received[]>();
  const plans = new Map<string, (number: number) => Answer>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const name = (request.url ?? "").slice(1);
    const list = received.get(name) ?? [];
    received.set(name, list);
    const planned = plans.get(name)?.(list.length + 1) ?? 204;
    const reply = typeof planned === "number" ? { status: planned } : planned;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
    );
    const status = reply === "hang" ? 0 : reply.status;
    list.push({
      id: headers["webhook-id"] ?? "",
      headers,
      status,
      body: Buffer.concat(chunks).toString(),
    });
    if (reply === "hang") return;
    response.writeHead(reply.status, { "content-type": "text/plain", ...reply.headers });
    response.end(reply.body);
  }

  return {
    standIns: { [HOST]: `http://127.0.0.1:${port}` },
    urlOf: (name: string) => `https://${HOST}/${name}`,
    /** The same receiver at this machine's own name. */
    localUrlOf: (name: string) => `http://127.0.0.1:${port}/${name}`,
    /** All that a receiver got, in the order of arrival. */
    of: (name: string): readonly Received[] => received.get(name) ?? [],
    /** What a receiver accepted: the ids without those of repeats. */
    accepted: (name: string): string[] =>
      (received.get(name) ?? []).flatMap(({ id, status }) => (status === 204 ? id : [])),
    /** Decides by the number of a request, from 1 on, what a receiver answers. Without a plan it accepts. */
    answerBy(name: string, plan: (number: number) => Answer) {
      plans.set(name, plan);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Checks a delivery as Standard Webhooks says, and returns its content. Throws when no signature is right. */
export function verify(secret: string, { body, headers }: Received): Record<string, unknown> {
  return Object(new Webhook(secret).verify(body, headers));
}

/** A row of the table of endpoints. */
type EndpointRow = {
  id: string;
  organization_id: string | null;
  url: string;
  with_ip_address: 0 | 1;
  state: "active" | "paused" | "failed";
  failing_since: number | null;
  settled_until: number;
  made_by: string | null;
  created_at: number;
};

/** Inserts an endpoint that wants these actions. Returns its row and its secret. */
export async function anEndpoint(
  gatehouse: Pick<Gatehouse, "d1" | "secret">,
  url: string,
  actions: string[],
  overrides: Partial<EndpointRow> = {},
) {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const secret = `whsec_${Buffer.from(bytes).toString("base64")}`;
  const row: EndpointRow = {
    id: crypto.randomUUID(),
    organization_id: null,
    url,
    with_ip_address: 0,
    state: "active",
    failing_since: null,
    settled_until: 0,
    made_by: null,
    created_at: 1,
    ...overrides,
  };
  const sealed = await createKeys(gatehouse.secret).encrypt("webhook", secret);
  await insertRows(gatehouse.d1, "webhook_endpoint", [{ ...row, secret: sealed, updated_at: 1 }]);
  await insertRows(
    gatehouse.d1,
    "webhook_subscription",
    actions.map((action) => ({ endpoint_id: row.id, action })),
  );
  return { row, secret };
}

type EventRow = {
  id: string;
  action: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  details: string | null;
  ip_address: string | null;
  created_at: number;
};

/** Inserts events, each a millisecond after the one before. Returns their ids in this order. */
export async function someEvents(
  gatehouse: Pick<Gatehouse, "d1">,
  count: number,
  overrides: Partial<EventRow> = {},
): Promise<string[]> {
  const start = Date.now();
  const rows = Array.from({ length: count }, (_, index): EventRow => {
    return {
      id: crypto.randomUUID(),
      action: "user.created",
      actor_id: "someone",
      target_type: "user",
      target_id: "someone",
      details: null,
      ip_address: "192.0.2.7",
      created_at: start + index,
      ...overrides,
    };
  });
  for (let at = 0; at < rows.length; at += 1_000) {
    await insertRows(gatehouse.d1, "audit_event", rows.slice(at, at + 1_000));
  }
  return rows.map(({ id }) => id);
}
