import type { Gatehouse } from "./worker.ts";

/** A signing secret as Resend gives it. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64")}`;

export const WEBHOOK = "/api/webhooks/resend";

type Sent = {
  /** Stays the same when the provider sends an event again. */
  id?: string;
  secret?: string;
  /** When it was signed. */
  signedAt?: Date;
  /** Replaces or adds headers after signing. */
  headers?: Record<string, string>;
  /** Sent in place of the signed body. */
  body?: string | ReadableStream<Uint8Array>;
};

/** Sends a signed event as the provider does: no cookies, no Origin. A string is sent as it is. */
export async function sendEvent(
  gatehouse: Pick<Gatehouse, "url">,
  event: object | string,
  { id, secret = WEBHOOK_SECRET, signedAt = new Date(), headers, body }: Sent = {},
): Promise<Response> {
  const text = typeof event === "string" ? event : JSON.stringify(event);
  const messageId = id ?? `msg_${crypto.randomUUID()}`;
  const seconds = String(Math.floor(signedAt.getTime() / 1000));
  const signature = await sign(secret, `${messageId}.${seconds}.${text}`);
  return await fetch(gatehouse.url.origin + WEBHOOK, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "svix-id": messageId,
      "svix-timestamp": seconds,
      "svix-signature": `v1,${signature}`,
      // A response sent before the body was read closes the connection.
      connection: "close",
      ...headers,
    },
    body: body ?? text,
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
}

/** Returns an event about a mail, which `data` names: by `to` and the provider's id in `email_id`, or by `tags`. */
export function anEvent(type: string, data: object, at = new Date()) {
  const created = at.toISOString();
  return {
    type: `email.${type}`,
    created_at: created,
    data: {
      created_at: created,
      email_id: crypto.randomUUID(),
      from: "Gatehouse <no-reply@gatehouse.example>",
      to: ["someone@example.com"],
      subject: "A subject",
      ...data,
    },
  };
}

/** Data of a bounce that is final. */
export const HARD_BOUNCE = {
  bounce: { type: "Permanent", subType: "General", message: "550 5.1.1 no such user" },
};

async function sign(secret: string, text: string): Promise<string> {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return Buffer.from(signature).toString("base64");
}
