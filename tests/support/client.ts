import { readPage, textOf } from "./page.ts";
import type { Gatehouse } from "./worker.ts";

const MAX_REDIRECTS = 10;

export type BrowserOptions = {
  /** The client's IP address as Cloudflare sends it; by default one that no other browser has. */
  ipAddress?: string;
  /** The `Accept-Language` header. */
  language?: string;
  /** Headers added to every request. */
  headers?: Record<string, string>;
  /** Called with every response before its body is read. */
  onAnswer?: (path: string, answer: Response) => void;
};

type Fields = Record<string, string> | [name: string, value: string][] | URLSearchParams;

/** The user agent of these tests' browsers. */
export const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let browsers = 0;

/** Returns an unused IP address of the benchmarking range (RFC 2544). */
export function nextIpAddress(): string {
  browsers += 1;
  return `198.${18 + (browsers >> 16)}.${(browsers >> 8) & 255}.${browsers & 255}`;
}

/** Makes a browser without JavaScript: it keeps cookies, posts forms, and follows redirects on request. */
export function newBrowser(
  gatehouse: Pick<Gatehouse, "url" | "origin">,
  {
    ipAddress = nextIpAddress(),
    language = "en",
    headers: own = {},
    onAnswer,
  }: BrowserOptions = {},
) {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({
      "cf-connecting-ip": ipAddress,
      "user-agent": USER_AGENT,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-language": language,
      // The runtime compresses, not the product, and that takes a seventh of a page's CPU.
      "accept-encoding": "identity",
      "sec-fetch-site": "same-origin",
      ...own,
    });
    // The runtime closes a connection that is idle for 5 seconds or whose body was not read, so none is used again.
    headers.set("connection", "close");
    if (!["GET", "HEAD"].includes(init.method ?? "GET")) headers.set("origin", gatehouse.origin);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("cookie", cookie);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const response = await fetch(gatehouse.url.origin + path, {
      redirect: "manual",
      ...init,
      headers,
    });
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    requireRetryAfter(path, response);
    onAnswer?.(path, response);
    return response;
  }

  return {
    ipAddress,
    /** Cookie values by name, as they are sent. */
    cookies,
    request,
    get: (path: string, init?: RequestInit) => request(path, init),
    /** Posts a form. */
    submit: (path: string, fields: Fields, init?: RequestInit) =>
      request(path, { method: "POST", body: new URLSearchParams(fields), ...init }),
    /** Posts JSON. */
    api(path: string, json: unknown = {}, init: RequestInit = {}) {
      const headers = new Headers(init.headers);
      headers.set("content-type", "application/json");
      headers.set("accept", "application/json");
      return request(path, { method: "POST", body: JSON.stringify(json), ...init, headers });
    },
    /** Follows redirects up to the page. Throws when one leads to another origin. */
    async follow(response: Response | Promise<Response>): Promise<Response> {
      let current = await response;
      for (let count = 0; count < MAX_REDIRECTS; count++) {
        const location = locationOf(current, gatehouse);
        if (location === undefined) return current;
        await current.arrayBuffer();
        current = await request(location);
      }
      throw new Error("Too many redirects");
    },
  };
}

export type Browser = ReturnType<typeof newBrowser>;

/** Sends until a response arrives: the server may close the connection before it has read a body that it refuses. */
export async function sendRefused<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const reason = error instanceof Error ? `${error} ${error.cause}` : "";
      if (!/ECONNRESET|EPIPE|other side/.test(reason) || tries === 10) throw error;
    }
  }
}

/**
 * Returns the target of a redirect as a path of the product; undefined when the response is no redirect. Throws when
 * the target has another origin.
 */
export function locationOf(
  response: Response,
  gatehouse?: Pick<Gatehouse, "url" | "origin">,
): string | undefined {
  const location = response.headers.get("location");
  if (location === null || response.status < 300 || response.status > 399) return undefined;
  const url = new URL(location, response.url);
  if (url.origin !== gatehouse?.origin && url.origin !== new URL(response.url).origin) {
    throw new Error(`The redirect leads away, to ${location}`);
  }
  return url.pathname + url.search + url.hash;
}

/** Throws for a refusal by a limit that does not say when to ask again, whatever the test is about. */
export function requireRetryAfter(path: string, { status, headers }: Response): void {
  if (status !== 429 || Number(headers.get("retry-after")) >= 1) return;
  throw new Error(`${path} answered 429 without Retry-After`);
}

/** Keeps a cookie as a browser does, by its Set-Cookie line. */
export function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, equals);
  if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name);
  else cookies.set(name, pair.slice(equals + 1));
}

/** Returns the Set-Cookie line of one cookie. */
export function setCookieOf(response: Response, name: string): string | undefined {
  return response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
}

/** Returns a page's text without markup, scripts, styles and direction marks; white space is collapsed. */
export function readText(html: string): string {
  return readPage(html).text();
}

/** Returns a field's error as a screen reader reads it; undefined when the field is valid. */
export function accessibleError(html: string, name: string): string | undefined {
  const field = readPage(html).field(name);
  if (!field) throw new Error(`There is no field "${name}"`);
  return field.error;
}

/** Returns the texts of a page's alerts, field errors included. */
export function alertsOf(html: string): string[] {
  return readPage(html).alerts();
}

/** Returns the value of a field as a page shows it. */
export function typedIn(html: string, name: string): string | undefined {
  return readPage(html).field(name)?.value;
}

/** Returns the version in an update form. */
export async function versionOn(response: Response): Promise<string> {
  const version = typedIn(await response.text(), "version");
  if (version === undefined) throw new Error("The form has no version");
  return version;
}

/** Returns the toast of the page after a form, as it is shown without JavaScript. */
export async function toastOf(browser: Browser, response: Response): Promise<string> {
  const page = await (await browser.follow(response)).text();
  return textOf(readPage(page).noscript());
}

/** Returns the Undo form of the toast after a change: its URL and its fields. */
export async function undoFormOf(browser: Browser, response: Response) {
  const page = readPage(await (await browser.follow(response)).text());
  const button = page.find("button", "Undo");
  const form = button?.closest("form");
  const fields = [...(form?.querySelectorAll("input") ?? [])].map((input) => [
    input.getAttribute("name"),
    input.getAttribute("value"),
  ]);
  return {
    action: form?.getAttribute("action") ?? "",
    fields: { intent: button?.getAttribute("value") ?? "", ...Object.fromEntries(fields) },
  };
}

/** Sends the Undo form of the toast after a change. */
export async function undo(browser: Browser, response: Response): Promise<Response> {
  const { action, fields } = await undoFormOf(browser, response);
  return browser.submit(action, fields);
}

/** True when the user app opens for a browser. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/app")).status === 200;
}
