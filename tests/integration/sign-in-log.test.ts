import { afterAll, expect, test } from "vitest";
import { readLink } from "../../app/features/auth/codes/code.ts";
import { newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, askForCode, aUser, enterCode, newEmail, wrongCode } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const LOG = "/manager/mail/sign-in";
const say = translationsIn("en");
const gatehouse = await startGatehouse({ vars: { SIGN_UP_ENABLED: "false" } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1, mailbox } = gatehouse;
const { browser: manager } = await anAdmin(gatehouse);

/** Returns the lines of an e-mail's timeline, the newest first. */
async function linesOf(email: string): Promise<string[]> {
  const page = readPage(await (await manager.get(`${LOG}?email=${email}`)).text());
  return [...page.document.querySelectorAll("main ol > li")].map(
    (line) => line.textContent?.trim() ?? "",
  );
}

/** Waits for what is written after answers. */
async function linesWith(email: string, text: string): Promise<string[]> {
  await expect.poll(async () => (await linesOf(email)).join("\n")).toContain(text);
  return linesOf(email);
}

test("the timeline of a sign-in names each step, from where, and how it ended", async () => {
  const person = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, person.email);
  const code = await mailbox.codeFor(person.email);
  await enterCode(browser, person.email, wrongCode(code));
  await enterCode(newBrowser(gatehouse), person.email, wrongCode(code));
  await enterCode(browser, person.email, code);

  const lines = await linesWith(person.email, say("logs:signIn.steps.entered.code"));

  const text = lines.join("\n");
  for (const step of [
    "logs:signIn.steps.asked",
    "logs:signIn.steps.mail.sent",
    "logs:signIn.steps.wrong.own",
    "logs:signIn.steps.wrong.others",
    "logs:signIn.steps.entered.code",
    "events:user.signed_in",
  ] as const) {
    expect(text).toContain(say(step));
  }
  expect(lines.find((line) => line.includes(say("logs:signIn.steps.asked")))).toMatch(
    /Firefox on Linux · 198\.18\.\d+\.\d+/,
  );
  expect(text).not.toContain(code);
});

test("codes used up by others and a link are told apart", async () => {
  const person = await aUser(gatehouse);
  await askForCode(newBrowser(gatehouse), person.email);
  const { link = "" } = await mailbox.mailFor(person.email);
  const { key, code } = readLink(link) ?? { key: "", code: "" };
  for (let count = 0; count < 4; count++) {
    await enterCode(newBrowser(gatehouse), person.email, wrongCode(code));
  }
  const search = new URLSearchParams({ email: person.email });
  await newBrowser(gatehouse).submit(`/login/verify?${search}`, { intent: "link", mailLink: key });

  const text = (await linesWith(person.email, say("logs:signIn.steps.entered.link"))).join("\n");

  expect(text).toContain(say("logs:signIn.steps.spent.others"));
  expect(text).toContain(say("logs:signIn.steps.dead.spent"));
  expect(text).toContain(say("logs:signIn.times", { count: 2, time: "" }).trim());
});

test("a request at the limit counts up in one line, and says when the next could leave", async () => {
  const person = await aUser(gatehouse);
  for (let count = 0; count < 8; count++) await askForCode(newBrowser(gatehouse), person.email);

  const limited = say("logs:signIn.steps.limited.mailbox");
  await linesWith(person.email, say("logs:signIn.times", { count: 3, time: "" }).trim());
  const lines = (await linesOf(person.email)).filter((line) => line.includes(limited));

  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("The next email could leave at");
  expect(await countSteps(person.email)).toBe(1);
});

/** Rows with the user of an e-mail. */
async function countSteps(email: string): Promise<number> {
  const row = await d1
    .prepare(
      "SELECT count(*) AS n FROM sign_in_step WHERE user_id = (SELECT id FROM user WHERE email = ?)",
    )
    .bind(email)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

test("a refused stranger leaves a line with the rule that decided", async () => {
  const email = newEmail("stranger");
  await askForCode(newBrowser(gatehouse), email);

  await linesWith(email, say("logs:signIn.steps.refused.not_invited"));
  const page = readText(await (await manager.get(`${LOG}?email=${email}`)).text());

  expect(page).toContain(say("logs:signIn.verdict.not_invited"));
  expect(page).toContain(say("logs:signIn.noAccount"));
});

test("the refused sign-in of a banned person is told", async () => {
  const person = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, person.email);
  const code = await mailbox.codeFor(person.email);
  await d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(person.id).run();
  await enterCode(browser, person.email, code);

  await linesWith(person.email, say("logs:signIn.steps.denied.banned"));
  const page = readText(await (await manager.get(`${LOG}?email=${person.email}`)).text());

  expect(page).toContain(say("logs:signIn.verdict.banned"));
});

test("strangers of one hour have a bounded number of rows, and people with an account theirs", async () => {
  const hour = Math.floor(Date.now() / 3_600_000);
  await d1
    .prepare(
      `INSERT OR IGNORE INTO sign_in_step (hour, part, mailbox, outcome, count, first_at, last_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
      SELECT ?1, 0, 'filler-' || i, 'refused.closed', 1, ?2, ?2 FROM n`,
    )
    .bind(hour, Date.now())
    .run();
  const stranger = newEmail("stranger");
  const person = await aUser(gatehouse);

  await askForCode(newBrowser(gatehouse), stranger);
  for (let count = 0; count < 6; count++) await askForCode(newBrowser(gatehouse), person.email);

  await linesWith(person.email, say("logs:signIn.steps.limited.mailbox"));
  expect(await linesOf(stranger)).toEqual([]);
  await d1.exec("DELETE FROM sign_in_step WHERE mailbox LIKE 'filler-%'");
});

test("an ID of a user or of a request leads to the e-mail; a list names who had trouble", async () => {
  const person = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, person.email);
  const code = await mailbox.codeFor(person.email);
  await enterCode(browser, person.email, wrongCode(code));
  const fields = { name: "Neema", email: person.email, role: "user", version: "1" };
  const saved = await manager.submit(`/manager/users/${person.id}/update`, fields);
  const request = saved.headers.get("x-request-id") ?? "";
  await linesWith(person.email, say("logs:signIn.steps.wrong.own"));

  for (const reference of [person.id, request]) {
    const found = await manager.get(`${LOG}?email=${reference}`);
    expect(found.headers.get("location")).toBe(
      `${LOG}?${new URLSearchParams({ email: person.email })}`,
    );
  }
  const none = readText(await (await manager.get(`${LOG}?email=nobody`)).text());
  expect(none).toContain(say("logs:signIn.unknown"));
  const trouble = readText(await (await manager.get(LOG)).text());
  expect(trouble).toContain(person.email);
  const activity = readPage(
    await (await manager.get(`/manager/audit?searchTerm=${request}`)).text(),
  );
  expect(activity.rows().join(" ")).toContain(say("events:user.updated"));
});

test("old steps are deleted, and those of an erased mailbox", async () => {
  const old = Math.floor(Date.now() / 3_600_000) - 31 * 24;
  await d1
    .prepare(
      "INSERT INTO sign_in_step (hour, part, mailbox, outcome, count, first_at, last_at) VALUES (?, 0, 'old', 'wrong.own', 1, 1, 1)",
    )
    .bind(old)
    .run();

  await gatehouse.runHourly();

  const left = await d1
    .prepare("SELECT count(*) AS n FROM sign_in_step WHERE mailbox = 'old'")
    .first();
  expect(left).toEqual({ n: 0 });
});
