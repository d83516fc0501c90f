import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** How Cloudflare's analytics answer: well, never, with a refused token, with an error of GraphQL, or with status 500. */
type Condition = "well" | "hanging" | "refusing" | "erring" | "failing";

/** Starts Cloudflare's GraphQL analytics on loopback, for the rows of one D1 database. */
export async function startAnalytics() {
  let condition: Condition = "failing";
  let rows = { rowsRead: 0, rowsWritten: 0 };
  const asked: { authorization: string | undefined; variables: unknown }[] = [];

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { variables } = JSON.parse(Buffer.concat(chunks).toString());
    asked.push({ authorization: request.headers.authorization, variables });
    if (condition === "hanging") return;
    const status = condition === "refusing" ? 403 : condition === "failing" ? 500 : 200;
    response.writeHead(status, { "Content-Type": "application/json" });
    const groups = [{ sum: rows }];
    response.end(
      JSON.stringify(
        condition === "well"
          ? {
              data: { viewer: { accounts: [{ d1AnalyticsAdaptiveGroups: groups }] } },
              errors: null,
            }
          : { data: null, errors: [{ message: "not authorized for that account" }] },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    /** The product's settings for these analytics. */
    vars: {
      CLOUDFLARE_ANALYTICS_TOKEN: `token-${crypto.randomUUID()}`,
      CLOUDFLARE_ACCOUNT_ID: `account-${crypto.randomUUID()}`,
      D1_DATABASE_ID: `database-${crypto.randomUUID()}`,
      CLOUDFLARE_ANALYTICS_URL: `http://127.0.0.1:${port}/client/v4/graphql`,
    },
    asked,
    set(next: Condition, figures = rows) {
      condition = next;
      rows = figures;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
