import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Host of the sites whose documents are read. */
export const SITE = "notebook.example.net";

/** What a site answers at a path: a JSON document, or whatever the function does. */
type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server with documents of apps. Give `standIns` to `startGatehouse`. */
export async function startAppSite() {
  const answers = new Map<string, Answer>();
  const asked: { path: string; accept: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push({ path, accept: request.headers.accept });
    const answer = answers.get(path);
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;

  return {
    standIns: { [SITE]: `http://127.0.0.1:${port}` },
    port,
    /** Returns the URL of a document that there is not yet. */
    newUrl(): string {
      count += 1;
      return `https://${SITE}/app-${count}.json`;
    },
    answer(url: string, answer: Answer | undefined): void {
      const { pathname } = new URL(url);
      if (answer) answers.set(pathname, answer);
      else answers.delete(pathname);
    },
    /** How often a URL was asked. */
    timesAsked: (url: string) => asked.filter(({ path }) => path === new URL(url).pathname).length,
    asked: asked as readonly { path: string; accept: string | undefined }[],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A valid document of an app. */
export function aDocument(url: string, changes: object = {}) {
  return {
    client_id: url,
    client_name: "Notebook",
    redirect_uris: [`https://${SITE}/callback`, "http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    ...changes,
  };
}
