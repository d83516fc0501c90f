import type { ErrorCode } from "../i18n/message-key.ts";
import { readBody } from "./body.ts";

/** Larger than any call of the product, and small enough to do no harm. */
const MAX_BODY_BYTES = 16_384;

type JsonBody = { ok: true; value: unknown } | { ok: false; status: number; code: ErrorCode };

/**
 * Reads a JSON body; an empty one is `{}`. A body that is too large, of another type or malformed gives an error code.
 */
export async function readJson(request: Request): Promise<JsonBody> {
  const body = await readBody(request, { maxBytes: MAX_BODY_BYTES });
  if (!body) return { ok: false, status: 413, code: "PAYLOAD_TOO_LARGE" };
  if (body.length === 0) return { ok: true, value: {} };
  if (!request.headers.get("content-type")?.toLowerCase().startsWith("application/json")) {
    return { ok: false, status: 415, code: "UNSUPPORTED_MEDIA_TYPE" };
  }
  try {
    return { ok: true, value: JSON.parse(new TextDecoder().decode(body)) };
  } catch {
    return { ok: false, status: 400, code: "INVALID_PAYLOAD" };
  }
}
