import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as passed } from "node:timers/promises";
import { MAIL_PROVIDER } from "../../app/values/platform-limits.ts";

/** Only ends what hangs. */
const MAX_WAIT_MS = 120_000;
/** The longest idempotency key that Resend accepts. */
const MAX_KEY_LENGTH = 256;

/** A mail that the provider has accepted. */
export type ReceivedMail = {
  id: string;
  idempotencyKey: string | undefined;
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Values by the names of the tags, as a webhook names them. */
  tags: Record<string, string>;
  /** The one-time code in the plain text, or an empty string. */
  code: string;
  /** The first URL in the plain text, or an empty string. */
  link: string;
};

/** One request to the provider, accepted or not; `at` in milliseconds since 1970. */
type SendAttempt = { idempotencyKey: string | undefined; status: number | "none"; at: number };

/** Requests that the provider takes in each window. */
type RequestLimit = { requests: number; windowMs: number };

/** Resend's own limit for a new account. Most tests send faster, because the limit is not what they are about. */
export const RESEND_LIMIT: RequestLimit = {
  requests: MAIL_PROVIDER.requestsASecond,
  windowMs: 1_000,
};
const WIDE_LIMIT: RequestLimit = { requests: 10_000, windowMs: 1_000 };

/** Resend's error for a quota that is used up. */
type UsedUp = "daily_quota_exceeded" | "monthly_quota_exceeded";

/** What the provider does with the next request instead of accepting it. */
export type NextAnswer =
  | { status: number; headers?: Record<string, string>; body?: object | string }
  /** Reads the request and never answers. */
  | "hang"
  /** Answers a second and a half later. */
  | "slow"
  /** Cuts the connection before the response, without accepting the mail. */
  | "cut"
  /** Accepts the mail and cuts the connection before the response. */
  | "cut-after-accept";

type Reader = {
  isWanted: (mail: ReceivedMail) => boolean;
  resolve: (mail: ReceivedMail) => void;
};

/**
 * Starts a mail provider on loopback that speaks Resend's `POST /emails`, idempotency keys included, over real HTTP.
 * Keys never expire: Resend keeps them for a day, longer than any test.
 */
export async function startMailbox({ onMail }: { onMail?: (mail: ReceivedMail) => void } = {}) {
  const apiKey = `re_${crypto.randomUUID().replaceAll("-", "")}`;
  const mails: ReceivedMail[] = [];
  const attempts: SendAttempt[] = [];
  const unsuppressed: string[] = [];
  const unread: ReceivedMail[] = [];
  const planned: NextAnswer[] = [];
  let planOf: (attempt: number) => NextAnswer | undefined = () => undefined;
  let limit = WIDE_LIMIT;
  let usedUp: UsedUp | undefined;
  let mostMails = Number.POSITIVE_INFINITY;
  /** Requests in the current window, whose number counts from 1970. */
  let window = { number: 0, requests: 0 };
  let underWay = 0;
  let mostUnderWay = 0;
  const readers = new Set<Reader>();
  const watchers = new Set<() => void>();
  /** The accepted body and the mail's id, by idempotency key. */
  const keys = new Map<string, { body: string; id: string }>();

  const server = createServer((request, response) => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    response.on("close", () => (underWay -= 1));
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const [, suppressed] = /^\/suppressions\/(.+)$/.exec(request.url ?? "") ?? [];
    if (request.method === "DELETE" && suppressed) {
      unsuppressed.push(decodeURIComponent(suppressed));
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ object: "suppression", deleted: true }));
      return;
    }
    const idempotencyKey = request.headers["idempotency-key"]?.toString();
    const attempt: SendAttempt = { idempotencyKey, status: "none", at: Date.now() };
    attempts.push(attempt);
    const counted = countRequest(attempt.at);
    const plan = planned.shift() ?? planOf(attempts.length);
    if (plan === "slow") await passed(1_500);
    if (plan === "cut") response.destroy();
    else if (plan !== "hang") {
      const result =
        counted.refused ??
        (typeof plan === "object" ? plan : accept(request, body, idempotencyKey));
      if (plan === "cut-after-accept" && !counted.refused) {
        response.destroy();
      } else {
        attempt.status = result.status;
        response.writeHead(result.status, {
          "Content-Type": "application/json",
          ...counted.headers,
          ...("headers" in result ? result.headers : {}),
        });
        const { body: answered = refusalOf(result.status) } = result;
        response.end(typeof answered === "string" ? answered : JSON.stringify(answered));
      }
    }
    for (const watcher of watchers) watcher();
  }

  /** Counts a request like Resend, and answers with the headers that it documents under "Usage limits". */
  function countRequest(at: number) {
    const number = Math.floor(at / limit.windowMs);
    window = { number, requests: number === window.number ? window.requests + 1 : 1 };
    // Resend rounds up to whole seconds. A window below a second is a test's faster clock.
    const seconds = ((number + 1) * limit.windowMs - at) / 1_000;
    const reset = String(limit.windowMs < 1_000 ? seconds : Math.ceil(seconds));
    const headers = {
      "ratelimit-limit": String(limit.requests),
      "ratelimit-remaining": String(Math.max(0, limit.requests - window.requests)),
      "ratelimit-reset": reset,
    };
    if (window.requests <= limit.requests) return { headers };
    return {
      headers: { ...headers, "retry-after": reset },
      refused: refuse(429, "rate_limit_exceeded"),
    };
  }

  function accept(request: IncomingMessage, body: string, key: string | undefined) {
    if (request.method !== "POST" || request.url !== "/emails") return refuse(404, "not_found");
    const { authorization } = request.headers;
    if (!authorization) return refuse(401, "missing_api_key");
    if (authorization !== `Bearer ${apiKey}`) return refuse(403, "invalid_api_key");
    if (!request.headers["user-agent"]) return refuse(403, "invalid_access");
    if (key !== undefined && (key === "" || key.length > MAX_KEY_LENGTH)) {
      return refuse(400, "invalid_idempotency_key");
    }
    const known = key === undefined ? undefined : keys.get(key);
    if (known) {
      return known.body === body
        ? { status: 200, body: { id: known.id } }
        : refuse(409, "invalid_idempotent_request");
    }
    const mail = readMail(body);
    if (typeof mail === "string") return refuse(422, mail);
    if (usedUp) return refuse(429, usedUp);
    if (mails.length >= mostMails) return refuse(429, "daily_quota_exceeded");
    const id = crypto.randomUUID();
    if (key !== undefined) keys.set(key, { body, id });
    deliver({ ...mail, id, idempotencyKey: key });
    return { status: 200, body: { id } };
  }

  function deliver(mail: ReceivedMail): void {
    mails.push(mail);
    onMail?.(mail);
    for (const reader of readers) {
      if (!reader.isWanted(mail)) continue;
      readers.delete(reader);
      reader.resolve(mail);
      return;
    }
    unread.push(mail);
  }

  /** Returns the oldest unread mail to an e-mail that matches; waits for one to arrive. */
  async function mailFor(
    email: string,
    isLike: (mail: ReceivedMail) => boolean = () => true,
  ): Promise<ReceivedMail> {
    const isWanted = (mail: ReceivedMail) => mail.to === email && isLike(mail);
    const index = unread.findIndex(isWanted);
    const [mail] = index < 0 ? [] : unread.splice(index, 1);
    if (mail) return mail;
    return await new Promise((resolve, reject) => {
      const reader: Reader = {
        isWanted,
        resolve(arrived) {
          clearTimeout(timer);
          resolve(arrived);
        },
      };
      const timer = setTimeout(() => {
        readers.delete(reader);
        const seen = mails.map(({ to, subject }) => `${to}: ${subject}`).join("; ") || "none";
        reject(new Error(`No mail to ${email} arrived. Mails so far: ${seen}`));
      }, MAX_WAIT_MS);
      readers.add(reader);
    });
  }

  return {
    apiKey,
    url: `http://127.0.0.1:${port}`,
    /** Every accepted mail, in the order of arrival. */
    mails: mails as readonly ReceivedMail[],
    /** Every request, including refused and repeated ones. */
    attempts: attempts as readonly SendAttempt[],
    mailFor,
    /** E-mails that were taken off the suppression list. */
    unsuppressed: unsuppressed as readonly string[],
    /** Returns the code of the oldest unread mail with a code; waits for one to arrive. */
    codeFor: async (email: string) => (await mailFor(email, ({ code }) => code !== "")).code,
    /** Returns the link of the oldest unread mail; waits for one to arrive. */
    linkFor: async (email: string) => (await mailFor(email)).link,
    /** Sets the answer to the next request; a second call sets the answer to the request after it. */
    answerNext(next: NextAnswer) {
      planned.push(next);
    },
    /** Decides by the number of a request, from 1 on, what happens to it where `answerNext` has not. */
    answerBy(plan: typeof planOf) {
      planOf = plan;
    },
    /** Sets how many requests are taken; without it, more than a test makes. */
    limitTo(given: RequestLimit) {
      limit = given;
    },
    /** Sets how many mails are taken on the day of the free plan. */
    limitMailsTo(most: number) {
      mostMails = most;
    },
    /** Uses up a quota, or renews both. */
    exhaust(quota: UsedUp | undefined) {
      usedUp = quota;
    },
    /** The most requests that were under way together. */
    mostUnderWay: () => mostUnderWay,
    /** Waits until this many requests have come in. */
    async attempted(count: number): Promise<void> {
      if (attempts.length >= count) return;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(new Error(`The provider saw ${attempts.length} requests, not ${count}`));
        }, MAX_WAIT_MS);
        function check() {
          if (attempts.length < count) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve();
        }
        watchers.add(check);
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refusalOf(status: number) {
  return { statusCode: status, name: "application_error", message: "Planned by the test" };
}

function refuse(status: number, name: string) {
  return { status, body: { statusCode: status, name, message: name.replaceAll("_", " ") } };
}

/** Reads the mail from a request's body; returns the name of Resend's error when it is invalid. */
function readMail(body: string): Omit<ReceivedMail, "id" | "idempotencyKey"> | string {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(body);
  } catch {
    return "validation_error";
  }
  const { from, to, subject, html, text, tags = [] } = parsed;
  const recipient = Array.isArray(to) && to.length === 1 ? to[0] : to;
  const fields = [from, recipient, subject, html, text];
  if (fields.some((field) => typeof field !== "string" || field === "")) {
    return "missing_required_field";
  }
  const [sender, email, title, page, plain] = fields.map(String) as [
    string,
    string,
    string,
    string,
    string,
  ];
  if ([sender, email, title].some((field) => /[\r\n]/.test(field))) return "validation_error";
  const named = readTags(tags);
  if (!named) return "validation_error";
  return {
    from: sender,
    to: email,
    subject: title,
    html: page,
    text: plain,
    tags: named,
    code: /^\s*(\d{6})\s*$/m.exec(plain)?.[1] ?? "",
    link: /https?:\/\/\S+/.exec(plain)?.[0] ?? "",
  };
}

/** Reads tags, which Resend limits to 256 ASCII letters, numbers, underscores and dashes. */
function readTags(tags: unknown): Record<string, string> | undefined {
  if (!Array.isArray(tags)) return undefined;
  const isAllowed = (text: unknown) => typeof text === "string" && /^[\w-]{1,256}$/.test(text);
  if (!tags.every((tag) => isAllowed(tag?.name) && isAllowed(tag?.value))) return undefined;
  return Object.fromEntries(tags.map(({ name, value }) => [name, value]));
}
