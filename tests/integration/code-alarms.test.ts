import { expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { aUserSignedInByCode, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SIGN_IN = "/api/auth/sign-in/email-otp";

test("far more wrong codes in an hour than usual log an alarm", async () => {
  await using quiet = await startGatehouse();
  quiet.expectErrors("auth.failures_alarm");
  for (let count = 0; count < 60; count++) {
    await newBrowser(quiet).api(SIGN_IN, { email: newEmail(), otp: "000000" });
  }
  const hour = new Date();
  hour.setUTCHours(hour.getUTCHours() + 1, 0, 0, 0);

  await quiet.runHourly(hour);

  expect(await quiet.logged("auth.failures_alarm")).toMatchObject({ lastHour: 60, median: 0 });
});

test("more codes in an hour than the site expects log one alarm, and every code is sent", async () => {
  await using busy = await startGatehouse({ vars: { CODE_MAILS_PER_HOUR: "3" } });
  const alarms = () => busy.logs.filter(({ event }) => event === "auth.code_budget_exceeded");
  const ask = async () => {
    const email = newEmail();
    await newBrowser(busy).submit("/login", { intent: "email", email });
    await busy.mailbox.codeFor(email);
  };

  for (let count = 0; count < 3; count++) await ask();
  expect(alarms()).toEqual([]);
  busy.expectErrors("auth.code_budget_exceeded");
  await ask();
  expect(await busy.logged("auth.code_budget_exceeded")).toMatchObject({ sent: 4, budget: 3 });
  for (let count = 0; count < 3; count++) await ask();
  expect(alarms()).toHaveLength(1);

  const hour = 3_600_001;
  await busy.d1.prepare("UPDATE rate_limit SET window_start = window_start - ?").bind(hour).run();
  const { browser, user } = await aUserSignedInByCode(busy);
  await expect.poll(alarms).toHaveLength(2);
  await busy.d1.prepare("UPDATE rate_limit SET window_start = window_start - ?").bind(hour).run();
  await browser.submit("/app/account/confirm?next=%2Fapp%2Faccount", { intent: "resend" });
  await busy.mailbox.codeFor(user.email);
  await expect.poll(alarms).toHaveLength(3);
});
