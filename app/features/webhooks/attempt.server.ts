import { Webhook } from "standardwebhooks";
import { readOutsideUrl } from "../../values/outside-url.ts";
import { BIN_URL } from "./receiver-url.ts";

/** A receiver has so long to answer. */
const TIMEOUT_MS = 5_000;
/** Of an answer so much is read. */
const MOST_BYTES = 64 * 1_024;
/** Of an answer so much is kept for the log. */
const KEPT_LETTERS = 1_000;

const SECRET_BYTES = 24;
const SECRET_PREFIX = "whsec_";

/** Why a receiver gave no answer. "unreadable": the secret cannot be decrypted. */
export type AttemptError = "timeout" | "unreachable" | "refused" | "unreadable";

/** What became of one try. */
export type Attempt = {
  isDelivered: boolean;
  status: number | null;
  error: AttemptError | null;
  durationMs: number;
  /** Beginning of the answer's body; null where it is not read. */
  answer: string | null;
  /** The request that the built-in bin received, to be stored with the outcome. */
  received?: Received;
};

/** Headers that the bin received, and whether the signature matched the body. */
type Received = { headers: Record<string, string>; isSigned: boolean };

/** Returns a new signing secret as Standard Webhooks writes it. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return SECRET_PREFIX + btoa(String.fromCharCode(...bytes));
}

type Delivery = {
  url: string;
  /** Each makes a signature: two while a rotation overlaps. */
  secrets: readonly string[];
  /** The event's id, the same at each try. */
  id: string;
  body: string;
  /** True where the answer's body is read and kept: only the site's managers see it. */
  readsAnswer: boolean;
};

/**
 * The product's own origin, the hosts of its domain that webhooks may reach, and whether the site
 * is a local one, whose `BASE_URL` is loopback.
 */
export type ReachableHosts = {
  baseUrl: string;
  webhookHosts: readonly string[];
  isLoopback: boolean;
};

/**
 * Sends an event once, with the headers and signatures of Standard Webhooks. Only a status of 2xx
 * counts as delivered: a redirect is not followed. The URL is checked again, because the rule may
 * be stricter than when it was saved.
 */
export async function attempt(
  delivery: Delivery,
  { baseUrl, webhookHosts, isLoopback }: ReachableHosts,
  now: () => Date,
): Promise<Attempt> {
  const { body } = delivery;
  const startedAt = now();
  const headers = headersOf(delivery, baseUrl, startedAt);
  if (delivery.url === BIN_URL) return receive(delivery, headers);
  const rules = { allowedHosts: webhookHosts, isLocal: isLoopback };
  const receiver = readOutsideUrl(delivery.url, baseUrl, rules);
  if (!receiver.ok) return failed("refused", 0);
  const passed = () => now().getTime() - startedAt.getTime();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(receiver.url, {
      method: "POST",
      headers,
      body,
      signal,
      redirect: "manual",
    });
    const answer = delivery.readsAnswer ? await readBeginning(response) : await discard(response);
    return {
      isDelivered: response.ok,
      status: response.status,
      error: null,
      durationMs: passed(),
      answer,
    };
  } catch {
    return failed(signal.aborted ? "timeout" : "unreachable", passed());
  }
}

function headersOf({ secrets, id, body }: Delivery, baseUrl: string, at: Date) {
  return {
    "Content-Type": "application/json",
    "User-Agent": `Webhooks (+${baseUrl})`,
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}

/**
 * Takes a delivery as the built-in bin: checks the signature as a receiver does. It makes no
 * request, because a worker's `fetch` to its own site may bypass the site's guards.
 */
function receive({ secrets, body }: Delivery, headers: Record<string, string>): Attempt {
  return {
    isDelivered: true,
    status: null,
    error: null,
    durationMs: 0,
    answer: null,
    received: { headers, isSigned: secrets.some((secret) => isSignedWith(secret, body, headers)) },
  };
}

function isSignedWith(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** Returns an attempt without an answer. */
export function failed(error: AttemptError, durationMs: number): Attempt {
  return { isDelivered: false, status: null, error, durationMs, answer: null };
}

async function discard({ body }: Response): Promise<null> {
  await body?.cancel();
  return null;
}

/** Reads an answer up to its limit, or as far as it comes in time: the status alone says whether it was delivered. */
async function readBeginning({ body }: Response): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let bytes = 0;
  let text = "";
  try {
    while (bytes < MOST_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (text.length < KEPT_LETTERS) text += decoder.decode(value, { stream: true });
    }
    if (bytes >= MOST_BYTES) await reader.cancel();
  } catch {
    // What came before is kept.
  }
  return text.slice(0, KEPT_LETTERS);
}
