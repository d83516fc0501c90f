import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What an app's server got: the form, and of what type it was. */
export type ReceivedLogout = { type: string; form: URLSearchParams };

/** How an app's server answers: with a status, or not at all. */
type Plan = number | "hang";

/** Starts a server of apps that are told of sign-outs, each at a path of its own. */
export async function startLogoutReceiver() {
  const received = new Map<string, ReceivedLogout[]>();
  const plans = new Map<string, Plan>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const name = (request.url ?? "").slice(1);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const type = request.headers["content-type"] ?? "";
    received.set(name, [...(received.get(name) ?? []), { type, form }]);
    const plan = plans.get(name) ?? 200;
    if (plan === "hang") return;
    response.writeHead(plan, plan === 302 ? { location: "/elsewhere" } : {}).end();
  }

  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${name}`,
    of: (name: string): readonly ReceivedLogout[] => received.get(name) ?? [],
    /** Without a plan it accepts. */
    answer: (name: string, plan: Plan) => plans.set(name, plan),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
