import { afterAll, expect, test } from "vitest";
import { sendCode } from "../support/account-confirm.ts";
import { alertsOf, newBrowser, readText } from "../support/client.ts";
import { addNotices, findRow, tryAgain } from "../support/outbox.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const SEND = "/api/auth/email-otp/send-verification-otp";
const DAY_MS = 86_400_000;

const say = translationsIn("en");
const gatehouse = await startGatehouse({
  vars: { GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());
gatehouse.expectErrors("mail.quota_used_up");
const { mailbox, d1 } = gatehouse;
const { browser: manager } = await anAdmin(gatehouse);

const pauseOf = () =>
  d1.prepare("SELECT quota, retry_at, until FROM mail_pause").first<Record<string, unknown>>();

/** Uses up a quota, and lets one mail find out. */
async function pausedBy(quota: "daily" | "monthly"): Promise<string[]> {
  mailbox.exhaust(`${quota}_quota_exceeded`);
  const notices = await addNotices(gatehouse, 3);
  await gatehouse.runScheduled();
  await expect.poll(pauseOf).toMatchObject({ quota });
  return notices;
}

/** The quota is renewed, or the operator has bought a bigger one; and the hour between two tries has passed. */
async function renewed(): Promise<void> {
  mailbox.exhaust(undefined);
  await d1.exec("UPDATE mail_pause SET retry_at = 0");
  await gatehouse.runScheduled();
}

async function arrived(emails: string[]): Promise<void> {
  for (const email of emails) await mailbox.mailFor(email);
  await expect.poll(pauseOf).toBeNull();
}

test("while a quota is used up, who asks for a code reads it, with or without an account, and it costs them nothing", async () => {
  const notices = await pausedBy("daily");
  const { email: known } = await aUser(gatehouse);
  const unknown = newEmail();

  const answers = await Promise.all(
    [known, unknown].map(async (email) => {
      const api = await newBrowser(gatehouse).api(SEND, { email, type: "sign-in" });
      const form = await newBrowser(gatehouse).submit("/login", { intent: "email", email });
      const page = await form.text();
      return [api.status, await api.json(), form.status, alertsOf(page), readOtherWays(page)];
    }),
  );

  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toEqual([
    503,
    expect.objectContaining({ code: "MAIL_QUOTA_REACHED" }),
    503,
    [say("codes:MAIL_QUOTA_REACHED")],
    [true, true],
  ]);
  expect(await findRow(gatehouse, known)).toBeNull();
  await renewed();
  await arrived(notices);
  // No request during the pause counts as one of the mailbox's codes.
  for (const email of [known, unknown]) {
    await askForCode(newBrowser(gatehouse), email);
    await mailbox.codeFor(email);
  }
});

/** Whether the page offers a passkey and a provider. */
function readOtherWays(html: string): boolean[] {
  const page = readPage(html);
  return [say("login:withPasskey"), /GitHub/].map(
    (name) => page.findAll("button", name).length > 0,
  );
}

test("a signed-in user who needs a code reads it too", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const notices = await pausedBy("daily");

  const response = await sendCode(browser);

  expect(response.status).toBe(503);
  expect(readText(await response.text())).toContain(say("codes:MAIL_QUOTA_REACHED"));
  await renewed();
  await arrived(notices);
});

test.each(["daily", "monthly"] as const)(
  "a %s quota that is used up is no failed try: one mail an hour finds out whether it has grown",
  async (quota) => {
    const now = new Date();
    const notices = await pausedBy(quota);
    const until =
      quota === "daily"
        ? (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS
        : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(await pauseOf()).toMatchObject({ until });
    const before = mailbox.attempts.length;

    await tryAgain(gatehouse);
    await d1.exec("UPDATE mail_pause SET retry_at = 0");
    await gatehouse.runScheduled();
    await expect.poll(async () => Number((await pauseOf())?.retry_at)).toBeGreaterThan(Date.now());

    expect(mailbox.attempts).toHaveLength(before + 1);
    for (const email of notices) {
      expect(await findRow(gatehouse, email)).toMatchObject({ state: "waiting", tries: 0 });
    }
    await renewed();
    await arrived(notices);
  },
);

test("managers see it on the dashboard and in the mail log at once, and no longer when mail leaves", async () => {
  const shown = async () =>
    Promise.all(
      ["/manager/dashboard", "/manager/mail"].map(async (path) =>
        readText(await (await manager.get(path)).text()),
      ),
    );
  const notices = await pausedBy("monthly");

  for (const text of await shown()) {
    expect(text).toMatch(/The monthly email quota at Resend is used up. Sending resumes in /);
  }
  expect((await shown())[0]).not.toContain(say("manager:dashboard.attention.none"));

  await renewed();
  await arrived(notices);
  for (const text of await shown()) expect(text).not.toContain("quota");
});

test("a mail that expires during the pause never leaves", async () => {
  const [late = "", ...others] = await pausedBy("daily");
  await d1.prepare("UPDATE mail_outbox SET expires_at = 1 WHERE recipient = ?").bind(late).run();

  await renewed();
  await arrived(others);

  await gatehouse.runScheduled();
  expect(await findRow(gatehouse, late)).toMatchObject({ state: "expired", tries: 0 });
  expect(mailbox.mails.filter(({ to }) => to === late)).toEqual([]);
});
