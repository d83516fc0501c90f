import { createHmac } from "node:crypto";
import { searchKey } from "../../app/db/fold.ts";
import { cookiePrefix } from "../../app/features/auth/cookie-prefix.ts";
import { type Browser, newBrowser, readText, USER_AGENT } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

/** A row of the user table. */
export type Person = {
  id: string;
  name: string;
  email: string;
  email_verified: 0 | 1;
  image: string | null;
  role: string;
  banned: 0 | 1;
  ban_reason: string | null;
  ban_expires: number | null;
  onboarded_at: number | null;
  language: string | null;
  theme: string | null;
  avatar: string | null;
  deletion_due_at: number | null;
  first_seen_at: number | null;
  last_seen_at: number | null;
  search_key: string;
  /** Made by the database. */
  kind?: string;
  version: number;
  created_by: string | null;
  created_at: number;
  updated_at: number;
};

let people = 0;

/** An address that nobody else has. */
export function newEmail(name = "person"): string {
  people += 1;
  return `${name}-${people}@example.com`;
}

/** Inserts somebody who has signed up and given a name; `overrides` say what is different about them. */
export async function aUser(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<Person> = {},
): Promise<Person> {
  const now = Date.now();
  const person: Omit<Person, "search_key"> = {
    id: crypto.randomUUID(),
    name: "Amina Yusuf",
    email: newEmail(),
    email_verified: 1,
    image: null,
    role: "user",
    banned: 0,
    ban_reason: null,
    ban_expires: null,
    onboarded_at: now,
    language: null,
    theme: null,
    avatar: null,
    deletion_due_at: null,
    first_seen_at: overrides.last_seen_at ?? null,
    last_seen_at: null,
    version: 1,
    created_by: null,
    created_at: now,
    updated_at: now,
    ...overrides,
  };
  const row: Person = { search_key: searchKey(person.name, person.email), ...person };
  const columns = Object.keys(row);
  // As it is stored, with the kind that the database makes of it.
  const stored = await gatehouse.d1
    .prepare(
      `INSERT INTO user (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) RETURNING *`,
    )
    .bind(...Object.values(row))
    .first<Person>();
  return stored ?? row;
}

/** Asks for a code and enters it, through the screens. Leaves the browser where the product would take it next. */
export async function signIn(
  gatehouse: Pick<Gatehouse, "mailbox">,
  browser: Browser,
  email: string,
): Promise<Response> {
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  const response = await enterCode(browser, email, code);
  if (response.status >= 400) {
    throw new Error(`${email} could not sign in: ${readText(await response.text())}`);
  }
  return response;
}

/** Asks for a code on the login screen. Throws when the product refuses. */
export async function askForCode(browser: Browser, email: string): Promise<Response> {
  const response = await browser.submit("/login", { intent: "email", email });
  if (response.status >= 400) {
    throw new Error(`${email} could not ask for a code: ${readText(await response.text())}`);
  }
  return response;
}

/** Enters a code on the verify screen, right or wrong. */
export function enterCode(browser: Browser, email: string, code: string): Promise<Response> {
  const search = new URLSearchParams({ email });
  return browser.submit(`/login/verify?${search}`, { intent: "verify", code });
}

/** Another six digits than these. */
export function wrongCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

const DAY_MS = 86_400_000;

/**
 * Gives a browser a session of its own without the screens: the row and the signed cookie that entering a code leaves.
 * The browser is no trusted device afterwards, no code was asked for and no mail was sent; use `signIn` for those.
 */
export async function openSession(
  gatehouse: Pick<Gatehouse, "d1" | "origin" | "secret">,
  browser: Browser,
  userId: string,
): Promise<void> {
  const token = crypto.randomUUID();
  const now = Date.now();
  const row = {
    id: crypto.randomUUID(),
    token,
    user_id: userId,
    expires_at: now + 30 * DAY_MS,
    ip_address: browser.address,
    user_agent: USER_AGENT,
    created_at: now,
    updated_at: now,
  };
  const columns = Object.keys(row);
  await gatehouse.d1
    .prepare(
      `INSERT INTO session (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    )
    .bind(...Object.values(row))
    .run();
  const signature = createHmac("sha256", gatehouse.secret).update(token).digest("base64");
  const prefix = cookiePrefix(gatehouse.origin.startsWith("https:"));
  browser.cookies.set(`${prefix}.session_token`, encodeURIComponent(`${token}.${signature}`));
}

/** A user with a session, and the browser that has it. */
export async function aSignedInUser(
  gatehouse: Pick<Gatehouse, "d1" | "origin" | "secret" | "url">,
  overrides: Partial<Person> = {},
) {
  const user = await aUser(gatehouse, overrides);
  const browser = newBrowser(gatehouse);
  await openSession(gatehouse, browser, user.id);
  return { user, browser };
}

/** A user who has entered a code, and the browser that did: a trusted device of theirs, one code of their budget spent. */
export async function aUserSignedInByCode(
  gatehouse: Pick<Gatehouse, "d1" | "mailbox" | "origin" | "url">,
  overrides: Partial<Person> = {},
) {
  const user = await aUser(gatehouse, overrides);
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, user.email);
  return { user, browser };
}

/** A signed-in manager. */
export function anAdmin(
  gatehouse: Pick<Gatehouse, "d1" | "origin" | "secret" | "url">,
  overrides: Partial<Person> = {},
) {
  return aSignedInUser(gatehouse, { name: "Mona Manager", role: "admin", ...overrides });
}
