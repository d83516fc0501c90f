import { afterAll, expect, test } from "vitest";
import { mailboxOf } from "../../app/features/auth/mailbox.ts";
import { createKeys } from "../../app/runtime/keys.server.ts";
import { askForChange, changePath, enterChangeCode } from "../support/account.ts";
import { alertsOf, newBrowser } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser, aUser, enterCode, newEmail, type Person } from "../support/people.ts";
import { isFull } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
// With sign-up on, every e-mail gets a code. With sign-up off, no response may reveal whether an account exists.
const gatehouse = await startGatehouse({ vars: { SIGN_UP_ENABLED: "false" } });
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Seen = { response: Response; body: string; duration: number };

async function see(work: () => Promise<Response>): Promise<Seen> {
  const started = performance.now();
  const response = await work();
  const body = await response.text();
  return { response, body, duration: performance.now() - started };
}

/** Returns everything visible in a response, except its time and the cost of its queries. */
function describe({ response, body }: Seen, email: string) {
  const headers = [...response.headers]
    .filter(
      ([name]) =>
        ![
          "date",
          "x-request-id",
          "x-d1-start",
          "x-d1-rows-read",
          // Only a known e-mail gets a mail, which is a row.
          "x-d1-rows-written",
          // The probe's total since the worker began, of what others write after responses.
          "x-d1-rows-by-objects",
          "x-d1-time",
          "content-security-policy",
        ].includes(name),
    )
    .map(([name, value]) => [
      name,
      value
        .replace(encodeURIComponent(email), "EMAIL")
        .replace(/code-sent=\d{13}\.(\d+\.\w+)\.[\w-]{16};/, "code-sent=TIME.$1.MAILBOX;")
        .replace(/asker=[\w-]{36}\.[\w-]{43};/, "asker=BROWSER;")
        .replace(/^([1-5]\d|60)$/, "SECONDS"),
    ]);
  return {
    status: response.status,
    headers,
    body: body
      // The page may break an e-mail with `<wbr>`.
      .replaceAll(/<wbr\/?>|<!-- -->/g, "")
      .replaceAll(email, "EMAIL")
      .replaceAll(encodeURIComponent(email), "EMAIL")
      .replace(/nonce="[^"]*"|\d{13}/g, "")
      // What is left of a code's five minutes, of its link's eleven or of the wait for another: two
      // responses may differ by seconds.
      .replace(/\b[0-5]:[0-5]\d\b/g, "LEFT")
      .replace(/\b(2\d\d|300|6[0-5]\d|660|[1-5]\d|60)\b/g, "SECONDS"),
  };
}

/** Moves all codes into the past. */
async function age(minutes: number): Promise<void> {
  await gatehouse.d1
    .prepare("UPDATE sign_in_code SET sent_at = sent_at - ?1, expires_at = expires_at - ?1")
    .bind(minutes * 60_000)
    .run();
}

test("a known and an unknown e-mail get the same status, body, headers and time, and only the known one a mail", async () => {
  // Status, body and headers need few pairs, time needs many.
  const pairs = isFull ? 200 : 10;
  const known: Person[] = [];
  for (let count = 0; count < pairs; count++) known.push(await aUser(gatehouse));
  const ask = (email: string) =>
    see(() => newBrowser(gatehouse).submit("/login", { intent: "email", email }));
  // The first mail of an isolate reads the brand.
  await ask((await aUser(gatehouse)).email);
  await ask(newEmail("stranger"));

  const differences: number[] = [];
  for (const { email } of known) {
    const unknown = newEmail("stranger");
    const [ofKnown, ofUnknown] = [await ask(email), await ask(unknown)];
    expect(describe(ofUnknown, unknown)).toEqual(describe(ofKnown, email));
    differences.push(ofKnown.duration - ofUnknown.duration);
  }
  differences.sort((a, b) => a - b);

  // Time is compared only in the full run, when no other test runs beside this one.
  if (isFull) expect(Math.abs(differences[pairs / 2] ?? Number.NaN)).toBeLessThan(10);
  await gatehouse.mailbox.attempted(pairs + 1);
  expect(gatehouse.mailbox.mails.filter(({ to }) => to.startsWith("stranger"))).toEqual([]);
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM mail_outbox WHERE recipient LIKE 'stranger%'")
    .all();
  expect(results).toEqual([]);
}, 120_000);

test("wrong, used-up and expired codes get the same answers for a known and an unknown e-mail", async () => {
  const { email: known } = await aUser(gatehouse);
  const unknown = newEmail("stranger");
  const talk = async (email: string) => {
    const browser = newBrowser(gatehouse);
    const wrong = () => see(() => enterCode(browser, email, "000000"));
    const answers = [await wrong()];
    await browser.submit("/login", { intent: "email", email });
    for (let count = 0; count < 5; count++) answers.push(await wrong());
    await browser.submit("/login", { intent: "email", email });
    await age(6);
    answers.push(await wrong(), await wrong());
    return answers.map((answer) => ({
      ...describe(answer, email),
      messages: alertsOf(answer.body),
    }));
  };

  // A first request in an isolate may answer differently, so this one is not compared.
  await talk(newEmail("stranger"));
  const [ofKnown, ofUnknown] = [await talk(known), await talk(unknown)];

  expect(ofUnknown).toEqual(ofKnown);
  expect(ofKnown.map(({ messages }) => messages)).toEqual([
    ["Code is invalid"],
    ["Code is invalid"],
    ["Code is invalid"],
    [say("codes:TOO_MANY_ATTEMPTS")],
    [say("codes:TOO_MANY_ATTEMPTS")],
    [say("codes:TOO_MANY_ATTEMPTS")],
    [say("codes:OTP_EXPIRED")],
    [say("codes:OTP_EXPIRED")],
  ]);
});

test("the unsent code of an unknown e-mail signs nobody in", async () => {
  const unknown = newEmail("stranger");
  const browser = newBrowser(gatehouse);
  await browser.submit("/login", { intent: "email", email: unknown });
  // Sets the unknown e-mail's code to a known one, as if it had been guessed.
  const keys = createKeys(gatehouse.secret);
  const mailbox = await mailboxOf(keys, unknown);
  const { meta } = await gatehouse.d1
    .prepare("UPDATE sign_in_code SET code_hash = ? WHERE mailbox = ?")
    .bind(await keys.mac("sign-in-code", `${mailbox}\n123456`), mailbox)
    .run();
  expect(meta.changes).toBe(1);

  const response = await enterCode(browser, unknown, "123456");

  expect(response.status).toBe(400);
  expect(alertsOf(await response.text())).toEqual(["Code is invalid"]);
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM user WHERE email = ?")
    .bind(unknown)
    .all();
  expect(results).toEqual([]);
});

test("an e-mail change gets the same answers for a taken and a free e-mail", async () => {
  const pairs = isFull ? 25 : 3;
  const change = async (to: string) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const answers = [await see(() => askForChange(browser, to))];
    const proof = await gatehouse.mailbox.codeFor(user.email);
    answers.push(await see(() => enterChangeCode(browser, to, proof)));
    answers.push(await see(() => browser.get(changePath(to))));
    answers.push(await see(() => enterChangeCode(browser, to, "000000")));
    answers.push(await see(() => browser.submit(changePath(to), { intent: "resend" })));
    return {
      duration: answers[1]?.duration ?? Number.NaN,
      // The user's own e-mail may be visible, and seconds may differ.
      seen: answers.map((answer) => {
        const { status, headers, body } = describe(answer, to);
        const page = withoutScripts(body).replaceAll(user.email, "OWN");
        return { status, headers, body: page.replace(/SECONDS|\d+/g, "N") };
      }),
    };
  };
  await change(newEmail("stranger"));
  const mailsBefore = gatehouse.mailbox.mails.length;

  const [taken, free]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const ofTaken = await change((await aUser(gatehouse)).email);
    const ofFree = await change(newEmail("stranger"));
    expect(ofFree.seen).toEqual(ofTaken.seen);
    taken.push(ofTaken.duration);
    free.push(ofFree.duration);
  }

  // Each pair makes two dozen requests: the fastest tenth of the pairs excludes a busy machine's delays.
  if (isFull) expect(Math.abs(quickTenth(taken) - quickTenth(free))).toBeLessThan(10);
  const warnings = gatehouse.mailbox.mails
    .slice(mailsBefore)
    .filter(({ subject }) => subject === say("mail:emailTaken.subject"));
  expect(warnings).toHaveLength(pairs);
  expect(warnings.map(({ code }) => code).join("")).toBe("");
}, 120_000);

function withoutScripts(html: string): string {
  const { document } = readPage(html);
  for (const script of document.querySelectorAll("script")) script.remove();
  return document.toString();
}

function quickTenth(durations: number[]): number {
  return durations.sort((a, b) => a - b)[Math.floor(durations.length / 10)] ?? Number.NaN;
}
