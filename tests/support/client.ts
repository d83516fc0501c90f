import type { Gatehouse } from "./worker.ts";

const MAX_REDIRECTS = 10;

export type BrowserOptions = {
  /** The client's address, as Cloudflare would name it; one of its own when not given. */
  address?: string;
  /** Accept-Language. */
  language?: string;
  /** What every request carries besides. */
  headers?: Record<string, string>;
  /** Gets every answer before it is read. */
  onAnswer?: (path: string, answer: Response) => void;
};

type Fields = Record<string, string> | [name: string, value: string][] | URLSearchParams;

/** What a browser of these tests calls itself. */
export const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let browsers = 0;

/** An address of the range for tests (RFC 2544) that no other browser has. */
function nextAddress(): string {
  browsers += 1;
  return `198.${18 + (browsers >> 16)}.${(browsers >> 8) & 255}.${browsers & 255}`;
}

/** What a browser is without JavaScript: it keeps cookies, follows redirects when asked to, and posts forms. */
export function newBrowser(
  gatehouse: Pick<Gatehouse, "url" | "origin">,
  { address = nextAddress(), language = "en", headers: own = {}, onAnswer }: BrowserOptions = {},
) {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({
      "cf-connecting-ip": address,
      "user-agent": USER_AGENT,
      accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-language": language,
      "sec-fetch-site": "same-origin",
      ...own,
    });
    if (!["GET", "HEAD"].includes(init.method ?? "GET")) {
      headers.set("origin", gatehouse.origin);
      // An answer that came before its body was read closes the connection: nothing else may be waiting on it.
      headers.set("connection", "close");
    }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("cookie", cookie);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const response = await fetch(gatehouse.url.origin + path, {
      redirect: "manual",
      ...init,
      headers,
    });
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    onAnswer?.(path, response);
    return response;
  }

  return {
    address,
    /** By name, as they would be sent. */
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
    /** Follows redirects to the page they lead to. Throws when one leads to another origin. */
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

/** Sends until an answer arrives: the server may close the connection before it has read a body that it refuses. */
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
 * Where a redirect leads, as a path of the product; undefined when the answer is no redirect. Throws when it leads to
 * another origin.
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

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, equals);
  if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name);
  else cookies.set(name, pair.slice(equals + 1));
}

/** One Set-Cookie line of an answer, by the cookie's name. */
export function setCookieOf(response: Response, name: string): string | undefined {
  return response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
}

/** What a page says, without markup, scripts, styles and direction marks; runs of white space are one space. */
export function readText(html: string): string {
  const marks = /[\u2066-\u2069]/g;
  return textNodesOf(html).join(" ").replace(marks, "").replace(/\s+/g, " ").trim();
}

/** The page's pieces of text, in order; a place where a word may break does not part it. */
export function textNodesOf(html: string): string[] {
  return html
    .replace(/<(script|style|svg)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<!doctype[^>]*>|<wbr\/?>/gi, "")
    .split(/<[^>]*>/)
    .map((text) => decodeEntities(text).trim())
    .filter((text) => text !== "");
}

/** The value of an attribute in the first tag that matches, such as `lang` of `/<html\b/`. */
export function attributeOf(html: string, tag: RegExp, name: string): string | undefined {
  const match = new RegExp(`${tag.source}[^>]*>`).exec(html)?.[0];
  const value = match && new RegExp(`\\s${name}="([^"]*)"`).exec(match)?.[1];
  return value === undefined ? undefined : decodeEntities(value);
}

/** What is wrong with a field, as a screen reader hears it; undefined when nothing is. */
export function accessibleError(html: string, field: string): string | undefined {
  const input = new RegExp(`<(input|textarea|select)\\b[^>]*\\sname="${field}"[^>]*>`).exec(html);
  if (!input) throw new Error(`There is no field "${field}"`);
  if (!/\saria-invalid="true"/.test(input[0])) return undefined;
  const ids = /\saria-describedby="([^"]*)"/.exec(input[0])?.[1]?.split(" ") ?? [];
  const errors = ids.filter((id) => new RegExp(`\\sid="${id}"[^>]*\\srole="alert"`).test(html));
  return errors.map((id) => textOfElement(html, id)).join(" ");
}

/** The texts of a page's alerts, those of its fields included. */
export function alertsOf(html: string): string[] {
  return [...html.matchAll(/<(\w+)\b[^>]*\srole="alert"[^>]*>([\s\S]*?)<\/\1>/g)]
    .map(([, , content]) => readText(content ?? ""))
    .filter((text) => text !== "");
}

function textOfElement(html: string, id: string): string {
  const element = new RegExp(`<(\\w+)\\b[^>]*\\sid="${id}"[^>]*>([\\s\\S]*?)</\\1>`).exec(html);
  if (!element) throw new Error(`There is no element "${id}"`);
  return readText(element[2] ?? "");
}

function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&nbsp;", "\u00a0")
    .replaceAll("&amp;", "&");
}
