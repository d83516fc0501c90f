import { expect } from "vitest";
import { addPasskey, newAuthenticator } from "./authenticator.ts";
import { insertRows } from "./insert.ts";
import { aUserSignedInByCode } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

const HOUR_MS = 3_600_000;

/** Expects a response with a status and an error code. */
export async function expectRefusal(
  response: Response,
  status: number,
  code: string,
): Promise<void> {
  expect([response.status, await response.json()]).toMatchObject([status, { code }]);
}

/** Returns functions that make and count users with passkeys on one server. */
export function keyHolders(gatehouse: Gatehouse) {
  const { origin } = gatehouse;

  /** Makes a user signed in with a code, with a passkey. */
  async function aKeyHolder(options: Partial<Parameters<typeof newAuthenticator>[0]> = {}) {
    const { user, browser } = await aUserSignedInByCode(gatehouse);
    const authenticator = newAuthenticator({ origin, ...options });
    const response = await addPasskey(browser, authenticator);
    if (response.status !== 200) throw new Error(await response.text());
    const { id }: { id: string } = JSON.parse(await response.text());
    return { user, browser, authenticator, id };
  }

  async function count(sql: string, ...values: (string | number)[]): Promise<number> {
    const statement = gatehouse.d1.prepare(`SELECT count(*) AS n FROM ${sql}`);
    return (await statement.bind(...values).first<number>("n")) ?? -1;
  }

  /** Moves a user's sessions into the past, so that sensitive actions ask for a code again. */
  async function makeStale(userId: string): Promise<void> {
    await gatehouse.d1
      .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
      .bind(Date.now() - HOUR_MS, userId)
      .run();
  }

  return { aKeyHolder, count, makeStale };
}

/** Writes a passkey of a user, which no authenticator has. */
export function insertPasskey({ d1 }: Pick<Gatehouse, "d1">, userId: string): Promise<void> {
  return insertRows(d1, "passkey", [
    {
      id: "key",
      credential_id: "key",
      public_key: "key",
      counter: 0,
      backed_up: 0,
      device_type: "singleDevice",
      user_id: userId,
      created_at: 1,
    },
  ]);
}
