import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CAPTCHA_ACTION } from "../../app/features/auth/codes/code.ts";

/** The captcha's condition: it works, answers 500, or cuts connections. */
type Condition = "well" | "failing" | "down";

/** The hostname and the action of a solved challenge. */
type Solved = { hostname: string; action: string };

/** Starts a captcha on loopback that speaks Turnstile's `siteverify`. A token is valid once, as at Cloudflare. */
export async function startTurnstile() {
  let condition: Condition = "well";
  const secret = crypto.randomUUID();
  const tokens = new Map<string, Solved>();

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (condition === "down") {
      request.socket.destroy();
      return;
    }
    const fields = readFields(Buffer.concat(chunks).toString());
    const solved = fields.secret === secret ? tokens.get(fields.response ?? "") : undefined;
    tokens.delete(fields.response ?? "");
    response.writeHead(condition === "failing" ? 500 : 200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        success: solved !== undefined,
        "error-codes": solved ? [] : ["invalid-input-response"],
        ...solved,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    /** The product's settings for this captcha. */
    vars: {
      TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
      TURNSTILE_SECRET_KEY: secret,
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${port}/turnstile/v0/siteverify`,
    },
    /** Returns a token as the widget puts it into the form; by default solved on the product's page. */
    solve(where: Partial<Solved> = {}): string {
      const token = crypto.randomUUID();
      tokens.set(token, { hostname: "localhost", action: CAPTCHA_ACTION, ...where });
      return token;
    },
    setCondition(next: Condition) {
      condition = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readFields(body: string): Record<string, string | undefined> {
  return body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}
