import { expect, test } from "vitest";
import { MAIL_PROVIDER } from "../../values/platform-limits.ts";
import { MAIL_LIMITS, NEW_EMAILS } from "../../values/rate-limits.ts";
import { MAILS } from "./mail-message.ts";
import type { MailRule } from "./mail-rule.ts";

const RULES: [kind: string, rule: MailRule][] = Object.entries(MAILS);

/** Mails of a day to one mailbox that some causers can make the product send. */
function sum(isCounted: (cause: MailRule["causes"][number], rule: MailRule) => boolean): number {
  return RULES.flatMap(([, rule]) => rule.causes.map((cause) => ({ cause, rule })))
    .filter(({ cause, rule }) => isCounted(cause, rule))
    .reduce((total, { cause }) => total + cause.aDay, 0);
}

test("in no room that the outbox counts can others use up the own user's part", () => {
  for (const [kind, { causes, keptBy }] of RULES) {
    const causers = new Set(causes.map(({ by }) => by === "own user"));
    expect([kind, keptBy === "codes" || causers.size === 1]).toEqual([kind, true]);
  }
});

test("each code and each warning that others cause has a number of its own", () => {
  const shared = RULES.filter(
    ([, { share, causes }]) => share !== "others" && causes.some(({ by }) => by !== "own user"),
  ).map(([kind]) => kind);

  // The limits of codes count each cause by itself. Of a warning that another caused, the owner has then read it.
  expect(shared).toEqual([
    "login-code",
    "account-code",
    "email-taken",
    "email-replaced",
    "methods-removed",
    "roles-changed",
  ]);
});

test("all kinds together, each as often as it can be caused, send at most 400 mails a day to one mailbox", () => {
  expect(sum(() => true)).toBeLessThanOrEqual(400);
});

test("anonymous visitors and other users together send at most 300 mails a day to one mailbox", () => {
  const others = sum(({ by }) => by === "anonymous visitor" || by === "other user");
  expect(others).toBeLessThanOrEqual(300);
});

test("what one account causes at other people's mailboxes stays below the provider's smallest quota of a day", () => {
  // Each kind that another user can cause counts for that user, or is bounded by the new e-mails of a day.
  const bounded: Record<string, number> = {
    "account-code": NEW_EMAILS.max * MAIL_LIMITS.newEmailCodes.max,
    "email-taken": NEW_EMAILS.max,
  };
  const byOthers = RULES.filter(([, { causes }]) => causes.some(({ by }) => by === "other user"));
  const uncounted = byOthers.filter(([, { byUser }]) => byUser === undefined);
  expect(uncounted.map(([kind]) => kind)).toEqual(Object.keys(bounded));

  const counted = byOthers.map(([kind, { byUser }]) => byUser ?? bounded[kind] ?? 0);
  const ofAccount = counted.reduce((total, max) => total + max, 0);
  expect(ofAccount).toBeLessThan(MAIL_PROVIDER.freeMailsADay);
});
