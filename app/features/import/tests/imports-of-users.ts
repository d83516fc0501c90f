import type { Browser } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";

export const IMPORT = "/manager/users/import";

type Line = [number: number, cells: string[]];

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

/** Posts a piece of lines as the screen's scripts do. */
export function sendPiece(
  browser: Browser,
  {
    id,
    position,
    lines,
    isLast = false,
  }: {
    id: string;
    position: number;
    lines: Line[];
    isLast?: boolean;
  },
  init?: RequestInit,
) {
  const fields = { intent: "read-lines", import: id, position: String(position) };
  const body = { ...fields, lines: JSON.stringify(lines), ...(isLast && { isLast: "yes" }) };
  return browser.submit(IMPORT, body, init);
}

/** Sends lines in pieces of a hundred, and returns the import's id. */
export async function sendLines(browser: Browser, cells: string[][], pieceSize = 100) {
  const id = crypto.randomUUID();
  const lines = cells.map((row, index): Line => [index + 1, row]);
  const count = Math.ceil(lines.length / pieceSize);
  for (let position = 0; position < count; position++) {
    const piece = lines.slice(position * pieceSize, (position + 1) * pieceSize);
    const isLast = position === count - 1;
    const response = await sendPiece(browser, { id, position, lines: piece, isLast });
    if (response.status !== 200) throw new Error(`A piece was answered ${response.status}`);
    await response.arrayBuffer();
  }
  return id;
}

export function start(browser: Browser, id: string, isInviting = false, init?: RequestInit) {
  const fields = { intent: "import", import: id, ...(isInviting && { invites: "yes" }) };
  return browser.submit(IMPORT, fields, init);
}

export function next(browser: Browser, id: string, init?: RequestInit) {
  return browser.submit(IMPORT, { intent: "import-next", import: id }, init);
}

/** Goes on with an import until it is finished. Returns how many steps that took. */
export async function finish(gatehouse: Gatehouse, browser: Browser, id: string): Promise<number> {
  for (let steps = 0; ; steps++) {
    const row = await gatehouse.d1
      .prepare("SELECT finished_at FROM user_import WHERE id = ?")
      .bind(id)
      .first<{ finished_at: number | null }>();
    if (row?.finished_at) return steps;
    const response = await next(browser, id);
    if (response.status !== 200) throw new Error(`A step was answered ${response.status}`);
    await response.arrayBuffer();
  }
}

/** Returns the id of a manager's open import. */
export async function openImportOf(gatehouse: Gatehouse, userId: string): Promise<string> {
  const row = await gatehouse.d1
    .prepare("SELECT id FROM user_import WHERE user_id = ? AND closed_at IS NULL")
    .bind(userId)
    .first<{ id: string }>();
  return row?.id ?? "";
}

/** Returns what the import's screen shows: its text, and the rows of its wrong lines. */
export async function screenOf(browser: Browser) {
  const page = readPage(await (await browser.get(IMPORT)).text());
  return { text: page.text(), rows: page.rows() };
}
