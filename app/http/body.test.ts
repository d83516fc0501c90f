import { expect, test } from "vitest";
import { readBody } from "./body.ts";

/** A request with a given number of ten-byte chunks, endless by default, and what was read of it. */
function aRequest(chunks = Number.POSITIVE_INFINITY, headers: Record<string, string> = {}) {
  const seen = { chunks: 0, isCancelled: false };
  const body = new ReadableStream(
    {
      type: "bytes",
      pull(controller) {
        if (seen.chunks === chunks) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        seen.chunks += 1;
        controller.enqueue(new Uint8Array(10).fill(seen.chunks));
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: "POST", body, headers, duplex: "half" };
  return { request: new Request("http://localhost", init), seen };
}

test("a body of at most the maximum is read whole", async () => {
  const { request } = aRequest(3);

  expect([...((await readBody(request, { maxBytes: 30 })) ?? [])]).toEqual([
    ...Array(10).fill(1),
    ...Array(10).fill(2),
    ...Array(10).fill(3),
  ]);
});

test("a missing body is empty", async () => {
  const request = new Request("http://localhost", { method: "POST" });

  expect(await readBody(request, { maxBytes: 30 })).toEqual(new Uint8Array());
});

test("a body past the maximum is cancelled at once", async () => {
  const { request, seen } = aRequest();

  expect(await readBody(request, { maxBytes: 25 })).toBeUndefined();
  expect(seen).toEqual({ chunks: 3, isCancelled: true });
});

test("a body that announces too much is not read, and one that announces less than it has is cut", async () => {
  const honest = aRequest(3, { "content-length": "30" });
  const liar = aRequest(undefined, { "content-length": "3" });

  expect(await readBody(honest.request, { maxBytes: 25 })).toBeUndefined();
  expect(honest.seen).toEqual({ chunks: 0, isCancelled: true });
  expect(await readBody(liar.request, { maxBytes: 25 })).toBeUndefined();
  expect(liar.seen).toEqual({ chunks: 3, isCancelled: true });
});

test("only a limited number of further bytes is read and discarded", async () => {
  const finite = aRequest(5);
  const endless = aRequest();

  expect(await readBody(finite.request, { maxBytes: 25, discardBytes: 50 })).toBeUndefined();
  expect(finite.seen).toEqual({ chunks: 5, isCancelled: false });
  expect(await readBody(endless.request, { maxBytes: 25, discardBytes: 50 })).toBeUndefined();
  expect(endless.seen).toEqual({ chunks: 8, isCancelled: true });
});
