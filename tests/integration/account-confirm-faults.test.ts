import { afterAll, expect, test } from "vitest";
import { ACCOUNT, accountChangesIn } from "../support/account.ts";
import { confirmations, enterCode, sendCode } from "../support/account-confirm.ts";
import { locationOf, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { statementsOn } from "../support/insert.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;
const FAULTS = faultsUpTo(5);
const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const change = statementsOn(gatehouse);

const changesOf = accountChangesIn(gatehouse);

const { askToConfirm, provedAt, letPass } = confirmations(gatehouse);

test.each(FAULTS)(
  "a code is used up exactly when it confirms, with a fault at call %s",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    await sendCode(browser);
    const code = await gatehouse.mailbox.codeFor(user.email);

    await enterCode(browser, code, { headers: { "x-d1-fault": fault } });

    const isLeft = await gatehouse.d1
      .prepare("SELECT 1 FROM account_code WHERE user_id = ?")
      .bind(user.id)
      .first();
    expect((await provedAt(user.id)) === null).toBe(isLeft !== null);
    expect(await changesOf(user.id)).toHaveLength(isLeft ? 0 : 1);
  },
);

test.each(FAULTS)("asking for a code survives a fault at call %s", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await sendCode(browser, { headers: { "x-d1-fault": fault } });
  const text = readText(await response.text());

  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(text).toMatch(/We could not send the code|The database does not answer right now/);
    // The mail may be queued although the request failed: the cron sends it, or the user asks again a minute later.
    await letPass(user.id, MINUTE_MS);
    await change("DELETE FROM mail_outbox WHERE recipient = ?", user.email);
    expect((await sendCode(browser)).status).toBe(302);
  }
  const code = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, code))).toBe(ACCOUNT);
});

test.each(FAULTS)("entering a code survives a fault at call %s", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  const response = await enterCode(browser, code, { headers: { "x-d1-fault": fault } });

  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    const again = await enterCode(browser, code);
    if (again.status !== 302) await enterCode(browser, await askToConfirm(browser, user.email));
  }
  const events = (await changesOf(user.id)).map(({ action }) => action);
  expect(new Set(events)).toEqual(new Set(["session.confirmed"]));
  expect(await provedAt(user.id)).toEqual(expect.any(Number));
});
