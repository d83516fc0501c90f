import { expect } from "vitest";
import type { Gatehouse } from "./worker.ts";

type OutboxRow = {
  id: string;
  state: string;
  payload: string | null;
  tries: number;
  next_try_at: number;
  leased_until: number | null;
  last_error: string | null;
};

/** Finds the last row of the outbox for an e-mail. */
export function findRow({ d1 }: Pick<Gatehouse, "d1">, email: string): Promise<OutboxRow | null> {
  return d1.prepare("SELECT * FROM mail_outbox WHERE recipient = ?").bind(email).first();
}

/** Waits until the first try, which runs after the response, is recorded. */
export async function settled(gatehouse: Pick<Gatehouse, "d1">, email: string): Promise<OutboxRow> {
  let row: OutboxRow | null = null;
  await expect
    .poll(
      async () => {
        row = await findRow(gatehouse, email);
        return row !== null && row.leased_until === null;
      },
      { timeout: 8_000 },
    )
    .toBe(true);
  if (!row) throw new Error("There is no mail in the outbox");
  return row;
}
