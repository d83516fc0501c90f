import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { newBrowser, readText, toastOf } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { openList } from "../support/lists.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, aUser, type Person } from "../support/people.ts";
import { anEvent, HARD_BOUNCE, sendEvent, WEBHOOK_SECRET } from "../support/webhook.ts";
import { startGatehouse } from "../support/worker.ts";

const DASHBOARD = "/manager/dashboard";
const MAIL = "/manager/mail";

const gatehouse = await startGatehouse({ vars: { RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { user: support, browser: ofSupport } = await aSignedInUser(gatehouse, { role: "support" });
const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });

const screenOf = ({ id }: Person) => `/manager/users/${id}`;

/** Sends a code to a user and an event about that mail. */
async function aUserWith(type: string, data: object = {}): Promise<Person> {
  const user = await aUser(gatehouse);
  await askForCode(newBrowser(gatehouse), user.email);
  const { id, tags } = await gatehouse.mailbox.mailFor(user.email);
  const event = anEvent(type, { email_id: id, tags, ...data });
  expect((await sendEvent(gatehouse, event)).status).toBe(200);
  return user;
}

async function allow(user: Person, browser = manager) {
  return browser.submit(screenOf(user), { intent: "allow-mail" });
}

test("a manager sees that a mailbox refuses mail, since when and why, and allows mail again", async () => {
  const user = await aUserWith("bounced", HARD_BOUNCE);
  const shown = readText(await (await manager.get(screenOf(user))).text());
  expect(shown).toContain("This mailbox refuses email An email bounced permanently on");
  expect(shown).toContain("No codes are sent to it, so this user can't sign in by email.");
  expect(shown).toContain("Reason: 550 5.1.1 no such user");
  expect(shown).toContain("Refuses email");
  // What would contradict it.
  expect(shown).not.toContain("Verified");
  expect(shown).not.toContain("Resend invitation");

  expect(await toastOf(manager, await allow(user))).toBe("Email is allowed again.");

  const after = readText(await (await manager.get(screenOf(user))).text());
  expect(after).not.toMatch(/refuses email/i);
  expect(after).toContain("Verified");
  expect(after).toContain("Send invitation");
  expect((await auditOf(gatehouse, user.id)).filter(isAllowed)).toEqual([
    { action: "user.mail_allowed", actorId: admin.id, details: {} },
  ]);
  // The provider would suppress the next mail.
  await expect.poll(() => gatehouse.mailbox.unsuppressed).toContain(user.email);
  await askForCode(newBrowser(gatehouse), user.email);
  await gatehouse.mailbox.codeFor(user.email);
  expect(await toastOf(manager, await allow(user))).toBe("This mailbox no longer refuses email");
});

function isAllowed({ action }: { action: string }): boolean {
  return action === "user.mail_allowed";
}

test.each([
  ["suppressed", "Resend has suppressed it since", "No codes are sent to it"],
  ["complained", "An email was marked as spam in this mailbox on", "Codes are still sent to it."],
])("a %s mailbox is described on its user's screen", async (type, since, effect) => {
  const user = await aUserWith(type);

  const shown = readText(await (await manager.get(screenOf(user))).text());

  expect(shown).toContain(since);
  expect(shown).toContain(effect);
});

test("who may send mails again may allow mail again, and two at once leave one record", async () => {
  const user = await aUserWith("bounced", HARD_BOUNCE);
  expect((await allow(user, auditor)).status).toBe(403);
  expect(readText(await (await auditor.get(screenOf(user))).text())).not.toContain(
    "Allow email again",
  );

  const answers = await Promise.all(Array.from({ length: 6 }, () => allow(user, ofSupport)));

  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(302));
  expect((await auditOf(gatehouse, user.id)).filter(isAllowed)).toMatchObject([
    { actorId: support.id },
  ]);
});

test("the mail log shows what became of each mail, with a filter and the reason", async () => {
  const bounced = await aUserWith("bounced", HARD_BOUNCE);
  const delivered = await aUserWith("delivered");
  const rowOf = async ({ email }: Person) => {
    const page = readPage(await (await manager.get(`${MAIL}?searchTerm=${email}`)).text());
    return textOf(page.document.querySelector("tbody"));
  };

  expect(await rowOf(bounced)).toContain("Bounced 550 5.1.1 no such user");
  expect(await rowOf(bounced)).toContain('"delivery": "bounced"');
  expect(await rowOf(delivered)).toContain("Delivered");
  const ofBounced = (await openList(manager, `${MAIL}?delivery=bounced`)).text;
  expect(ofBounced).toContain(bounced.email);
  expect(ofBounced).not.toContain(delivered.email);
  expect((await openList(manager, `${MAIL}?delivery=delivered`)).text).toContain(delivered.email);
  const tab = await (await manager.get(`${screenOf(bounced)}?tab=emails`)).text();
  expect(readText(tab)).toContain("550 5.1.1 no such user Bounced");
  expect((await openList(manager, `${MAIL}?delivery=lost`)).text).toContain("was ignored");
});

test("the dashboard shows the rates of 7 days, with links to the mails, and what is above the norm", async () => {
  await gatehouse.d1.exec("DELETE FROM slot_count");
  const read = async () => {
    const page = readPage(await (await manager.get(DASHBOARD)).text());
    return { page, text: page.text() };
  };
  expect((await read()).text).toContain("Resend has not reported on any email");
  const today = Math.floor(Date.now() / 86_400_000);
  const count = (rows: [name: string, ago: number, value: number][]) =>
    insertRows(
      gatehouse.d1,
      "slot_count",
      rows.map(([name, ago, value]) => ({
        name: `mail.${name}`,
        slot: (today - ago) * 96,
        value,
      })),
    );
  await count([
    ["delivered", 0, 900],
    ["delivered", 6, 47],
    ["bounced", 1, 50],
    ["suppressed", 2, 2],
    ["complained", 3, 1],
    // Too long ago, or no outcome.
    ["bounced", 7, 500],
    ["delayed", 1, 70],
  ]);

  const norm = await read();

  expect(norm.text).toContain("Delivered 94.7% 947 emails");
  expect(norm.text).toContain("Bounced 5% 50 emails");
  expect(norm.text).toContain("Suppressed 0.2% 2 emails");
  expect(norm.text).toContain("Marked as spam 0.1% 1 email");
  expect(norm.text).not.toContain("limit 5%");
  expect(norm.text).not.toContain("limit 0.1%");
  const week = new Date((today - 6) * 86_400_000).toISOString().slice(0, 10);
  expect(norm.page.linkTo("50 emails")).toBe(`${MAIL}?delivery=bounced&from=${week}`);

  await count([
    ["bounced", 2, 10],
    ["complained", 2, 1],
  ]);
  const above = await read();
  expect(above.page.linkTo("60 bounced emails in 7 days (5.93%, limit 5%)")).toBe(
    `${MAIL}?delivery=bounced&from=${week}`,
  );
  expect(above.page.linkTo("2 spam reports in 7 days (0.2%, limit 0.1%)")).toBe(
    `${MAIL}?delivery=complained&from=${week}`,
  );
});

test("without the webhook's secret the settings name it and its command", async () => {
  await using without = await startGatehouse();
  const { browser } = await anAdmin(without);

  const shown = readText(await (await browser.get("/manager/settings/system")).text());

  expect(shown).toContain("npx wrangler secret put RESEND_WEBHOOK_SECRET");
});
