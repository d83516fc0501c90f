const READ_BYTES = 16_384;

/** Largest body that is read before its request is answered. */
const READ_AHEAD_BYTES = 65_536;

/**
 * Returns a request whose body has arrived, if it is small. Over HTTP/1.1 an answer to a request whose body nobody read
 * ends the connection, and with it the client's next request.
 */
export async function readAhead(request: Request): Promise<Request> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (!request.body || announced === 0 || announced > READ_AHEAD_BYTES) return request;
  return new Request(request, { body: await request.arrayBuffer() });
}

type BodyLimits = {
  maxBytes: number;
  /**
   * Bytes that are read past the maximum and thrown away. Over HTTP/1.1 a browser that is still sending misses the
   * answer, so a form for large files reads on for a while.
   */
  discardBytes?: number;
};

/**
 * Reads the body of a request, or of an answer; undefined when it has more than `maxBytes`. Counts while reading, because Content-Length may
 * be wrong and a chunked body has none. Cancels the rest of a body that is too large.
 */
export async function readBody(
  request: Pick<Request, "headers" | "body">,
  { maxBytes, discardBytes = 0 }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBytes + discardBytes) {
    await request.body?.cancel();
    return undefined;
  }
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader({ mode: "byob" });
  // One buffer for all reads, so that discarded bytes need no new memory.
  let buffer = new ArrayBuffer(READ_BYTES);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done) break;
    buffer = value.buffer;
    length += value.length;
    if (length <= maxBytes) {
      chunks.push(value.slice());
      continue;
    }
    chunks.length = 0;
    if (length > maxBytes + discardBytes) {
      await reader.cancel();
      return undefined;
    }
  }
  return length > maxBytes ? undefined : concatenate(chunks, length);
}

function concatenate(chunks: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
