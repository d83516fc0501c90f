import { expect, test } from "vitest";
import { DELIVERIES, replacedBy } from "./delivery.ts";
import { readMailEvent } from "./mail-event.ts";

const AT = "2026-11-22T10:00:00.000Z";

function event(type: string, data: object) {
  return { type, created_at: AT, data };
}

test.each([
  ["email.delivery_delayed", {}, "delayed", undefined, null],
  ["email.delivered", {}, "delivered", undefined, null],
  ["email.failed", { failed: { reason: "quota" } }, "failed", undefined, "quota"],
  ["email.complained", {}, "complained", "complained", null],
  ["email.suppressed", { suppressed: { message: "Listed" } }, "suppressed", "suppressed", "Listed"],
  [
    "email.bounced",
    { bounce: { type: "Permanent", subType: "General", message: "No such user" } },
    "bounced",
    "bounced",
    "No such user",
  ],
  [
    "email.bounced",
    { bounce: { type: "Permanent", subType: "General" } },
    "bounced",
    "bounced",
    "General",
  ],
  [
    "email.bounced",
    { bounce: { type: "Transient", subType: "MailboxFull" } },
    "bounced",
    undefined,
    "MailboxFull",
  ],
  ["email.bounced", {}, "bounced", undefined, null],
])("%s with %j is %s and refuses %s", (type, data, delivery, refusal, reason) => {
  expect(readMailEvent(event(type, { email_id: "e1", ...data }))).toEqual({
    kind: "delivery",
    delivery,
    refusal,
    reason,
    at: new Date(AT),
    providerId: "e1",
    mailId: undefined,
    recipients: [],
  });
});

test("the mail's id is read from its tag", () => {
  const data = { email_id: "e1", to: ["Zawadi@Example.com"], tags: { mail: "m1", other: 1 } };

  expect(readMailEvent(event("email.delivered", data))).toMatchObject({
    mailId: "m1",
    recipients: ["zawadi@example.com"],
  });
  for (const tags of [[{ name: "mail", value: "m1" }], "mail", null, { mail: 1 }]) {
    const read = readMailEvent(event("email.delivered", { email_id: "e1", tags }));
    expect(read).toMatchObject({ providerId: "e1", mailId: undefined });
  }
});

test("a long reason is cut, and half a character is replaced", () => {
  const bounce = { type: "Permanent", message: `\uD800${"x".repeat(1_000)}` };

  const read = readMailEvent(event("email.bounced", { email_id: "e1", bounce }));

  expect(read?.kind === "delivery" && read.reason).toBe(`\uFFFD${"x".repeat(299)}`);
});

test("a mailbox that left the suppression list is read in lower case", () => {
  const removed = event("suppression.removed", { email: "Zawadi@Example.com" });

  expect(readMailEvent(removed)).toEqual({
    kind: "unsuppressed",
    email: "zawadi@example.com",
    at: new Date(AT),
  });
});

test.each(["email.opened", "email.sent", "domain.updated", "__proto__", "constructor", ""])(
  "an event of type %j changes nothing",
  (type) => {
    expect(readMailEvent({ type })).toEqual({ kind: "other" });
  },
);

test.each([
  undefined,
  null,
  "email.bounced",
  [],
  {},
  { type: 1 },
  { type: "email.bounced" },
  { type: "email.bounced", created_at: AT, data: {} },
  { type: "email.bounced", created_at: AT, data: { email_id: 1 } },
  { type: "email.bounced", created_at: "yesterday", data: { email_id: "e1" } },
  { type: "email.bounced", created_at: 0, data: { email_id: "e1" } },
  { type: "suppression.removed", created_at: AT, data: {} },
])("%j is unreadable", (body) => {
  expect(readMailEvent(body)).toBeUndefined();
});

test("in any order of arrival, the same state remains", () => {
  for (const first of DELIVERIES) {
    for (const second of DELIVERIES) {
      const arrive = (one: typeof first, two: typeof first) =>
        replacedBy(two).includes(one) ? two : one;
      expect(arrive(first, second)).toBe(arrive(second, first));
    }
  }
  expect(replacedBy("delivered")).toEqual(["delayed", "failed"]);
  expect(replacedBy("complained")).toContain("delivered");
});
