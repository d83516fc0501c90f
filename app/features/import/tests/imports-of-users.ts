import { expect } from "vitest";
import type { Browser } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { createDb } from "../../../db/db.server.ts";
import { createKeys } from "../../../runtime/keys.server.ts";
import { createMailer, createOutbox } from "../../mail/outbox.server.ts";
import { type ImportHost, importLines } from "../import-alarm.server.ts";

export const IMPORT = "/manager/users/import";

/** Posts a file as a browser without JavaScript does. */
export function upload(
  browser: Browser,
  file: string | Uint8Array<ArrayBuffer>,
  init?: RequestInit,
) {
  const body = new FormData();
  body.append("intent", "upload");
  body.append("file", new File([file], "people.csv", { type: "text/csv" }));
  body.append("text", "");
  return browser.request(IMPORT, { method: "POST", body, ...init });
}

/** Posts lines as a file, and returns the import's id. */
export async function sendLines(browser: Browser, cells: string[][]) {
  const response = await upload(browser, cells.map((row) => row.join("\t")).join("\n"));
  if (response.status !== 302) throw new Error(`The lines were answered ${response.status}`);
  return shownImport(browser);
}

/** Returns the id of the import that the screen shows. */
export async function shownImport(browser: Browser): Promise<string> {
  const { document } = readPage(await (await browser.get(IMPORT)).text());
  return document.querySelector("input[name=import]")?.getAttribute("value") ?? "";
}

export function start(browser: Browser, id: string, isInviting = false, init?: RequestInit) {
  const fields = { intent: "import", import: id, ...(isInviting && { invites: "yes" }) };
  return browser.submit(IMPORT, fields, init);
}

export function change(browser: Browser, intent: "stop" | "continue" | "close", id: string) {
  return browser.submit(IMPORT, { intent: `${intent}-import`, import: id });
}

export function stateOf({ d1 }: Gatehouse, id: string) {
  return d1.prepare("SELECT state FROM user_import WHERE id = ?").bind(id).first<string>("state");
}

/** Waits until an import's alarm has come to its end. */
export async function finish(gatehouse: Gatehouse, id: string): Promise<void> {
  await expect.poll(() => stateOf(gatehouse, id), { interval: 20 }).toBe("finished");
}

/** Lets an import run without its alarm: a test rings itself. */
export async function runWithoutAlarm({ d1 }: Gatehouse, id: string, invites = 0): Promise<void> {
  await d1
    .prepare("UPDATE user_import SET state = 'running', invites = ?, touched_at = ? WHERE id = ?")
    .bind(invites, Date.now(), id)
    .run();
}

/** Stands for the cron two minutes later, which rings for imports that stand still. */
export function wakeLater(gatehouse: Gatehouse): Promise<unknown> {
  return gatehouse.runScheduled(new Date(Date.now() + 120_000));
}

/** Works on an import as its alarm does, in this process. `d1` may fail. */
export function ring(gatehouse: Gatehouse, id: string, d1 = gatehouse.d1) {
  const db = createDb(d1);
  const keys = createKeys(gatehouse.secret);
  const settings = { adminEmails: [], baseUrl: gatehouse.origin };
  const outbox = createOutbox({
    ...settings,
    db,
    keys,
    from: "Gatehouse <noreply@example.com>",
    readBrand: () => Promise.reject(new Error("An import draws no mail")),
    writers: {},
    resendApiKey: gatehouse.mailbox.apiKey,
    resendBaseUrl: gatehouse.mailbox.url,
  });
  const mailer = createMailer(outbox, { wakeSender: async () => {}, webhookSecret: undefined });
  const host: ImportHost = { db, keys, config: settings, mailer };
  return importLines(host, id, () => new Date());
}

/** Returns the database with `around` around each call, which has a number. A batch is one call. */
export function aroundCalls(
  d1: D1Database,
  around: (call: number, work: () => Promise<unknown>) => Promise<unknown>,
): D1Database {
  let calls = 0;
  const counted = (work: () => Promise<unknown>) => {
    calls += 1;
    return around(calls, work);
  };
  const watched = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => watched(target.bind(...values));
        const found = Reflect.get(target, name);
        return typeof found === "function" ? () => counted(() => found()) : found;
      },
    });
  return new Proxy(d1, {
    get(target, name) {
      if (name === "prepare") return (query: string) => watched(target.prepare(query));
      if (name === "batch")
        return (statements: D1PreparedStatement[]) => counted(() => target.batch(statements));
      return Reflect.get(target, name);
    },
  });
}

/** Returns the id of a manager's open import. */
export async function openImportOf(gatehouse: Gatehouse, userId: string): Promise<string> {
  const row = await gatehouse.d1
    .prepare("SELECT id FROM user_import WHERE user_id = ? AND state <> 'closed'")
    .bind(userId)
    .first<{ id: string }>();
  return row?.id ?? "";
}

/** Returns what the import's screen shows: its text, and the rows of its wrong lines. */
export async function screenOf(browser: Browser) {
  const page = readPage(await (await browser.get(IMPORT)).text());
  return { text: page.text(), rows: page.rows() };
}
