import { afterAll, expect, test } from "vitest";
import { faultsUpTo } from "../../../../tests/support/faults.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { finish, next, sendPiece, start } from "./imports-of-users.ts";

/** More calls than a step makes. */
const FAULTS = faultsUpTo(9);

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

test.each(FAULTS)(
  "an import survives a fault at call %s of each of its steps, and makes nothing twice",
  async (fault) => {
    const { browser, user } = await anAdmin(gatehouse);
    const run = crypto.randomUUID();
    const emails = Array.from({ length: 20 }, (_, index) => `${index}-${run}@example.com`);
    const lines = emails.map((email, index): [number, string[]] => [index + 1, [email]]);
    const withFault = { headers: { "x-d1-fault": fault } };
    const id = crypto.randomUUID();

    for (const position of [0, 1]) {
      const piece = lines.slice(position * 10, position * 10 + 10);
      const sent = { id, position, lines: piece, isLast: position === 1 };
      await sendPiece(browser, sent, withFault);
      expect((await sendPiece(browser, sent)).status).toBe(200);
    }
    await start(browser, id, true, withFault);
    await start(browser, id, true);
    await next(browser, id, withFault);
    await finish(gatehouse, browser, id);

    const among = JSON.stringify(emails);
    const counts = await gatehouse.d1
      .prepare(
        `SELECT
        (SELECT count(*) FROM user WHERE email IN (SELECT value FROM json_each(?1))) AS users,
        (SELECT count(*) FROM mail_outbox WHERE recipient IN (SELECT value FROM json_each(?1))) AS mails,
        (SELECT group_concat(action) FROM audit_event WHERE actor_id = ?2 AND action LIKE 'users.%') AS events`,
      )
      .bind(among, user.id)
      .first();
    expect(counts).toEqual({ users: 20, mails: 20, events: "users.import_started,users.imported" });
  },
);
