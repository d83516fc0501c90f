import { afterAll, expect, test } from "vitest";
import { readLink } from "../../app/features/auth/codes/code.ts";
import { MAIL_LIMITS, WRONG_CODES } from "../../app/values/rate-limits.ts";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { newestMail } from "../support/newest-mail.ts";
import { aUser, enterCode, wrongCode } from "../support/people.ts";
import { isFull } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests that strangers keep nobody out of their own mailbox, with the clock in hand. Strangers send
// 1,000 requests for a code and 1,000 wrong codes an hour, from 200 IP addresses; the gate takes an
// hour, `npm run test:full` a day.

const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EACH_HOUR = 1_000;
const MINUTES = isFull ? 24 * 60 : 60;
/** Some 2,300 requests an hour. */
const TIMEOUT_MS = isFull ? 3_600_000 : 900_000;

// The sender of mails has a clock of its own, so the mails stay in the local inbox.
const gatehouse = await startGatehouse({ mail: "local" });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;

/** The clock of the product, for browsers that have these headers. */
const clock = { "x-clock": String(Date.now()) };

function setClock(moment: number): void {
  clock["x-clock"] = String(moment);
}

/** Half of the IP addresses are in a /64 with 24 others. */
function strangerAt(index: number): Browser {
  const place = (index * 37) % 200;
  const network = Math.floor(place / 25).toString(16);
  const ipAddress = place < 100 ? `203.0.${place}.9` : `2001:db8:0:${network}::${place}`;
  return newBrowser(gatehouse, { ipAddress });
}

/** One minute of the strangers: each request has a time of its own. */
async function attack(email: string, start: number, minute: number): Promise<void> {
  const first = Math.floor((minute * EACH_HOUR) / 60);
  const count = Math.floor(((minute + 1) * EACH_HOUR) / 60) - first;
  const otp = minute === 0 ? "000000" : wrongCode((await newestMail(gatehouse, email)).code);
  const answers = await Promise.all(
    Array.from({ length: count }, (_, step) => {
      const moment = start + minute * MINUTE_MS + Math.floor((step * MINUTE_MS) / count);
      const init = { headers: { "x-clock": String(moment) } };
      const index = first + step;
      return [
        strangerAt(index).api(SEND, { email, type: "sign-in" }, init),
        strangerAt(index + 67).api(SIGN_IN, { email, otp }, init),
      ];
    }).flat(),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].filter((status) => ![200, 400, 403, 429].includes(status))).toEqual([]);
}

/** Asks for a code in a fresh browser, and opens the link of the newest mail in it. */
async function getIn(email: string): Promise<string | undefined> {
  const browser = newBrowser(gatehouse, { headers: clock });
  const asked = await browser.submit("/login", { intent: "email", email });
  expect(locationOf(asked)).toBe(`/login/verify?email=${encodeURIComponent(email)}`);
  const { link } = await newestMail(gatehouse, email);
  const fields = { intent: "verify", ...readLink(link) };
  return locationOf(
    await browser.submit(`/login/verify?${new URLSearchParams({ email })}`, fields),
  );
}

/** Asks for a code and types it, as on any other day. */
async function typeIn(browser: Browser, email: string): Promise<string | undefined> {
  await browser.submit("/login", { intent: "email", email });
  const entered = await enterCode(browser, email, (await newestMail(gatehouse, email)).code);
  await browser.submit("/sign-out", {});
  return locationOf(entered);
}

test("30 sign-ins of one mailbox in an hour from 30 fresh browsers all succeed", async () => {
  const { email } = await aUser(gatehouse);
  const start = Date.now();
  for (let count = 0; count < 30; count++) {
    setClock(start + count * 2 * MINUTE_MS);
    const browser = newBrowser(gatehouse, { headers: clock });
    expect([count, await typeIn(browser, email)]).toEqual([count, "/app"]);
  }
});

test(
  `${MINUTES} minutes of an attack keep the owner out in none, and mail less than 300 times a day`,
  async () => {
    const { email } = await aUser(gatehouse);
    const start = Date.now();
    setClock(start - HOUR_MS);
    const trusted = newBrowser(gatehouse, { headers: clock });
    expect(await typeIn(trusted, email)).toBe("/app");

    for (let minute = 0; minute < MINUTES; minute++) {
      await attack(email, start, minute);
      const moment = start + (minute + 1) * MINUTE_MS - 1;
      setClock(moment);
      // In a day the owner signs in now and then; at all other minutes it is shown that they could.
      if (minute < 60 ? minute % 2 === 0 : minute % 60 === 31) {
        expect([minute, await getIn(email)]).toEqual([minute, "/app"]);
      } else {
        expect([minute, await couldGetIn(moment)]).toEqual([minute, true]);
      }
      if (minute % 120 === 17) {
        expect([minute, await typeIn(trusted, email)]).toEqual([minute, "/app"]);
      }
    }

    const mails = await d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
      .bind(email)
      .first<number>("n");
    expect(mails).toBeLessThan(300);
    expect(await guesses()).toBe(WRONG_CODES.max);

    /** True when the newest link works, or a request would be answered with a mail at once. */
    async function couldGetIn(now: number): Promise<boolean> {
      const newest = await d1
        .prepare(
          `SELECT key_expires_at > ?1 AS is_live, spent_at IS NOT NULL AS is_used, sent_at <= ?1 - ?2 AS is_old,
            (SELECT count(*) FROM sign_in_code WHERE mailbox = newest.mailbox AND is_early AND sent_at > ?1 - ?3) AS early
          FROM sign_in_code AS newest ORDER BY sent_at DESC LIMIT 1`,
        )
        .bind(now, MAIL_LIMITS.codeInterval.windowMs, 24 * HOUR_MS)
        .first<Record<"is_live" | "is_used" | "is_old" | "early", number>>();
      if (!newest || newest.is_old) return true;
      return newest.is_used ? newest.early < MAIL_LIMITS.earlyCodes.max : newest.is_live === 1;
    }

    /** The wrong codes that were compared with a code in the day before the attack's last moment. */
    async function guesses(): Promise<number | null> {
      return d1
        .prepare(
          `SELECT count(*) AS n FROM code_event WHERE kind = 'failed' AND created_at > ?
          AND budget IN (SELECT mailbox FROM sign_in_code)`,
        )
        .bind(start + MINUTES * MINUTE_MS - 1 - 24 * HOUR_MS)
        .first<number>("n");
    }
  },
  TIMEOUT_MS,
);
