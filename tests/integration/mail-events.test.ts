import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { mailEventsOf, named } from "../support/mail-events.ts";
import { tryAgain } from "../support/outbox.ts";
import { askForCode, aUser, newEmail } from "../support/people.ts";
import { anEvent, HARD_BOUNCE, sendEvent, WEBHOOK_SECRET } from "../support/webhook.ts";
import { startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse({
  vars: { RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { mailTo, refusalOf, aSentMail, tell, countsOf } = mailEventsOf(gatehouse);

test.each([
  ["delivery_delayed", {}, "delayed", null],
  ["failed", { failed: { reason: "Quota reached" } }, "failed", null],
  ["delivered", {}, "delivered", null],
  ["bounced", HARD_BOUNCE, "bounced", "bounced"],
  ["bounced", { bounce: { type: "Transient", subType: "MailboxFull" } }, "bounced", null],
  ["suppressed", { suppressed: { message: "On the list" } }, "suppressed", "suppressed"],
  ["complained", {}, "complained", "complained"],
])("%s %j makes a mail %s and its mailbox %s", async (type, data, delivery, reason) => {
  const mail = await aSentMail();
  const before = await countsOf(delivery);
  const at = new Date(Date.now() - MINUTE_MS);

  await tell(type, mail, data, at);

  expect(await mailTo(mail.email)).toMatchObject({ delivery, delivery_at: at.getTime() });
  expect(await refusalOf(mail.email)).toEqual(
    reason && expect.objectContaining({ reason, since: at.getTime(), allowed_at: null }),
  );
  expect(await countsOf(delivery)).toBe(before + 1);
});

test("events in another order than they happened leave the same state and count a mail once", async () => {
  const orders = [
    ["delivery_delayed", "delivered", "complained"],
    ["complained", "delivered", "delivery_delayed"],
    ["delivered", "complained", "delivery_delayed"],
  ];
  const before = [await countsOf("delivered"), await countsOf("complained")];
  for (const order of orders) {
    const mail = await aSentMail();
    for (const type of order) await tell(type, mail);
    expect(await mailTo(mail.email)).toMatchObject({ delivery: "complained" });
    expect(await refusalOf(mail.email)).toMatchObject({ reason: "complained" });
  }
  expect([await countsOf("delivered"), await countsOf("complained")]).toEqual([
    before[0],
    (before[1] ?? 0) + orders.length,
  ]);
});

test("an event that arrives before the provider's id is stored finds its mail by the tag", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext("cut-after-accept");
  await askForCode(newBrowser(gatehouse), email);
  const { id: providerId, idempotencyKey, tags } = await gatehouse.mailbox.mailFor(email);
  expect(tags).toEqual({ mail: idempotencyKey });
  expect(await mailTo(email)).toMatchObject({ provider_id: null });

  await tell("bounced", { providerId }, { ...HARD_BOUNCE, tags });

  expect(await mailTo(email)).toMatchObject({ delivery: "bounced" });
  expect(await refusalOf(email)).toMatchObject({ note: "550 5.1.1 no such user" });
});

test("a repeated event changes nothing, also after mail was allowed again", async () => {
  const mail = await aSentMail();
  const event = anEvent("bounced", { ...named(mail), ...HARD_BOUNCE });
  const before = await countsOf("bounced");
  const send = () => sendEvent(gatehouse, event, { id: "msg_repeated" });
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await send()).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const noted = await refusalOf(mail.email);
  await gatehouse.d1
    .prepare("UPDATE refusing_mailbox SET allowed_at = ? WHERE email = ?")
    .bind(Date.now() + 1, mail.email)
    .run();

  expect((await send()).status).toBe(200);

  expect(await refusalOf(mail.email)).toEqual({ ...noted, allowed_at: expect.any(Number) });
  expect(await countsOf("bounced")).toBe(before + 1);
});

test("after a final bounce no code is queued, and the answer and its cost are the same", async () => {
  const bounced = await aSentMail();
  await tell("bounced", bounced, HARD_BOUNCE);
  const other = await aSentMail();
  await gatehouse.d1.exec("DELETE FROM mail_outbox");
  await gatehouse.d1.exec("DELETE FROM sign_in_code");
  const ask = async (email: string) => {
    const browser = newBrowser(gatehouse);
    const response = await browser.submit("/login", { intent: "email", email });
    const page = await (await browser.follow(response)).text();
    return {
      status: response.status,
      location: response.headers.get("location")?.replace(encodeURIComponent(email), "EMAIL"),
      calls: response.headers.get("x-d1-calls"),
      cookies: [...browser.cookies.keys()],
      page: page
        .replace(/<wbr\/?>|nonce="[^"]*"|\d{13}|<!-- -->/g, "")
        .replace(/\b\d{2,3}\b/g, "")
        .replaceAll(email, "EMAIL")
        .replaceAll(encodeURIComponent(email), "EMAIL"),
    };
  };

  const [refused, sent] = [await ask(bounced.email), await ask(other.email)];

  expect(refused).toEqual(sent);
  await gatehouse.mailbox.mailFor(other.email);
  expect(await mailTo(other.email)).not.toBeNull();
  expect(await mailTo(bounced.email)).toBeNull();
});

test.each([
  ["a mailbox that is full", "bounced", { bounce: { type: "Transient", subType: "MailboxFull" } }],
  ["a complaint", "complained", {}],
])("%s gets the next code", async (_name, type, data) => {
  const mail = await aSentMail();
  await tell(type, mail, data);

  await aSentMail(mail.email);
});

test("a mailbox gets codes again when a later mail is delivered", async () => {
  const mail = await aSentMail();
  const later = await aSentMail(mail.email);
  const bouncedAt = new Date(Date.now() - MINUTE_MS);
  await tell("bounced", mail, HARD_BOUNCE, bouncedAt);
  // A mail of before the bounce does not count.
  await tell("delivered", later, {}, new Date(bouncedAt.getTime() - 1));
  expect(await refusalOf(mail.email)).toMatchObject({ allowed_at: null });
  await gatehouse.d1.exec("UPDATE mail_outbox SET delivery = NULL");

  await tell("delivered", later);

  expect(await refusalOf(mail.email)).toMatchObject({ allowed_at: expect.any(Number) });
  await aSentMail(mail.email);
});

test("a bounce that is told after a later mail was delivered stops nothing", async () => {
  const mail = await aSentMail();
  const later = await aSentMail(mail.email);
  await tell("delivered", later);

  await tell("bounced", mail, HARD_BOUNCE, new Date(Date.now() - MINUTE_MS));

  expect(await refusalOf(mail.email)).toBeNull();
});

test("a mailbox gets codes again when the provider takes it off its suppression list", async () => {
  const mail = await aSentMail();
  await tell("suppressed", mail, { suppressed: { message: "Bounced before" } });
  const removed = (email: string, at = new Date()) => ({
    type: "suppression.removed",
    created_at: at.toISOString(),
    data: { email, origin: "bounce" },
  });
  await sendEvent(gatehouse, removed(mail.email, new Date(Date.now() - MINUTE_MS)));
  expect(await refusalOf(mail.email)).toMatchObject({ allowed_at: null });

  expect((await sendEvent(gatehouse, removed(mail.email.toUpperCase()))).status).toBe(200);

  await aSentMail(mail.email);
});

test("a refusal goes with its user, and after 30 days without one", async () => {
  const account = await aUser(gatehouse);
  const [known, unknown] = [await aSentMail(account.email), await aSentMail()];
  for (const mail of [known, unknown]) await tell("bounced", mail, HARD_BOUNCE);

  await gatehouse.runHourly(new Date(Date.now() + 31 * DAY_MS));
  await expect.poll(() => refusalOf(unknown.email)).toBeNull();
  expect(await refusalOf(known.email)).not.toBeNull();
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(account.id).run();

  expect(await refusalOf(known.email)).toBeNull();
});

test("the erasure of an account takes its refusals, and a late event brings none back", async () => {
  const person = await aUser(gatehouse, { deletion_due_at: 1 });
  const [former, stranger] = [newEmail("former"), newEmail()];
  await insertRows(gatehouse.d1, "audit_event", [
    {
      id: crypto.randomUUID(),
      action: "user.updated",
      created_at: Date.now(),
      target_type: "user",
      target_id: person.id,
      details: JSON.stringify({ before: { email: former } }),
    },
  ]);
  await insertRows(
    gatehouse.d1,
    "refusing_mailbox",
    [person.email, former, stranger].map((email) => ({ email, reason: "bounced", since: 1e15 })),
  );

  await gatehouse.runScheduled();
  await tryAgain(gatehouse);
  const farewell = await gatehouse.mailbox.mailFor(person.email);
  await expect.poll(() => mailTo(person.email)).toBeNull();
  await tell("bounced", { providerId: farewell.id }, { ...HARD_BOUNCE, tags: farewell.tags });

  expect(await refusalOf(person.email)).toBeNull();
  expect(await refusalOf(former)).toBeNull();
  expect(await refusalOf(stranger)).not.toBeNull();
});
