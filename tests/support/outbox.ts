import { expect } from "vitest";
import type { MailMessage } from "../../app/features/mail/mail-message.ts";
import { createKeys } from "../../app/runtime/keys.server.ts";
import { insertRows } from "./insert.ts";
import type { Gatehouse } from "./worker.ts";

const DAY_MS = 86_400_000;

type OutboxRow = {
  id: string;
  state: string;
  payload: string | null;
  tries: number;
  next_try_at: number;
  last_error: string | null;
};

/** Finds the last row of the outbox for an e-mail. */
export function findRow({ d1 }: Pick<Gatehouse, "d1">, email: string): Promise<OutboxRow | null> {
  return d1.prepare("SELECT * FROM mail_outbox WHERE recipient = ?").bind(email).first();
}

/** Waits until the first try, which the sender makes after the response, is recorded. */
export async function settled(gatehouse: Pick<Gatehouse, "d1">, email: string): Promise<OutboxRow> {
  let row: OutboxRow | null = null;
  await expect
    .poll(async () => {
      row = await findRow(gatehouse, email);
      return row?.tries;
    })
    .toBeGreaterThan(0);
  if (!row) throw new Error("There is no mail in the outbox");
  return row;
}

/** Lets the time pass that waiting mails wait for their next try, and wakes the sender. */
export async function tryAgain(gatehouse: Gatehouse): Promise<void> {
  await gatehouse.d1.exec("UPDATE mail_outbox SET next_try_at = 0 WHERE state = 'waiting'");
  await gatehouse.runScheduled();
}

/** Writes notices that are due, as requests do, without waking the sender. Returns their e-mails. */
export async function addNotices(
  { d1, secret }: Pick<Gatehouse, "d1" | "secret">,
  count: number,
): Promise<string[]> {
  const keys = createKeys(secret, []);
  const message: MailMessage = { kind: "email-taken" };
  const payload = await keys.encrypt("mail", JSON.stringify(message));
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    id: crypto.randomUUID(),
    kind: message.kind,
    recipient: `notice-${index}-${crypto.randomUUID()}@example.com`,
    language: "en",
    payload,
    state: "waiting",
    tries: 0,
    next_try_at: now,
    expires_at: now + DAY_MS,
    created_at: now,
    lane: 3,
  }));
  await insertRows(d1, "mail_outbox", rows);
  return rows.map(({ recipient }) => recipient);
}
