import { connect, createServer, type Socket } from "node:net";

/** The way from a browser to the product, which can be cut: the browser then finds no server. */
export async function startLine() {
  const open = new Set<Socket>();
  let target = 0;
  const server = createServer((near) => {
    const far = connect(target, "localhost");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.once("error", () => other.destroy());
      one.once("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  await listen(0);
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The line has no port");
  const { port } = address;

  async function cut(): Promise<void> {
    // `close` waits for the connections.
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  }

  return {
    origin: `http://localhost:${port}`,
    leadTo(url: URL) {
      target = Number(url.port);
    },
    cut,
    async mend(): Promise<void> {
      if (!server.listening) await listen(port);
    },
    [Symbol.asyncDispose]: cut,
  };
}
