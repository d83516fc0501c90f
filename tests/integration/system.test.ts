import { afterAll, beforeEach, expect, test } from "vitest";
import { type Browser, readText } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SYSTEM = "/manager/settings/system";
const DASHBOARD = "/manager/dashboard";
const MINUTE_MS = 60_000;

const secrets = {
  GITHUB_CLIENT_ID: `github-${crypto.randomUUID()}`,
  GITHUB_CLIENT_SECRET: `secret-${crypto.randomUUID()}`,
  ADMIN_EMAILS: "hidden-admin@example.org",
  SECURITY_CONTACT: "https://contact.example.org/hidden",
};
const gatehouse = await startGatehouse({ vars: secrets });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

beforeEach(async () => {
  for (const table of ["scheduled_run", "mail_outbox"]) {
    await gatehouse.d1.exec(`DELETE FROM ${table}`);
  }
});

/** Returns the facts of one panel by their terms. */
async function readPart(title: string, browser: Browser = manager) {
  const { document } = readPage(await (await browser.get(SYSTEM)).text());
  const heading = [...document.querySelectorAll("h2")].find((one) => textOf(one) === title);
  const panel = heading?.closest("section");
  if (!panel) throw new Error(`There is no panel "${title}"`);
  const facts = [...panel.querySelectorAll("dl > div")].map((fact) => [
    textOf(fact.querySelector("dt")),
    textOf(fact.querySelector("dd")),
  ]);
  return { text: textOf(panel), facts: Object.fromEntries(facts) as Record<string, string> };
}

/** Inserts mails by their state, their age and when they were sent. */
async function addMails(mails: [state: string, age: number, sentAt?: number][]) {
  const rows = mails.map(([state, age, sentAt]) => ({
    id: crypto.randomUUID(),
    kind: "new-device",
    recipient: "x@example.com",
    language: "en",
    state,
    next_try_at: 9e14,
    expires_at: 9e14,
    created_at: Date.now() - age,
    sent_at: sentAt ?? null,
  }));
  await insertRows(gatehouse.d1, "mail_outbox", rows);
}

async function addRun(schedule: string, startedAt: number, failedJobs: string | null = null) {
  const row = { schedule, started_at: startedAt, duration_ms: 5, failed_jobs: failedJobs };
  await insertRows(gatehouse.d1, "scheduled_run", [{ ...row, failed_at: failedJobs && startedAt }]);
}

test("the page has every part in three round trips, and no value of a setting", async () => {
  // The first request of a session also notes that the user was seen.
  await manager.get(SYSTEM);
  const page = await manager.get(SYSTEM);
  const data = await manager.get(`${SYSTEM}.data`);

  expect(page.status).toBe(200);
  expect(Number(page.headers.get("x-d1-calls"))).toBe(3);
  const html = await page.text();
  const headings = [...readPage(html).document.querySelectorAll("h1, h2")].map(textOf);
  expect(headings).toEqual(["Settings", ...["Emails", "Scheduled jobs", "Database", "Set-up"]]);
  const sent = html + (await data.text());
  const values = [
    ...Object.values(secrets),
    ...[gatehouse.secret, gatehouse.mailbox.apiKey, gatehouse.mailbox.url],
  ];
  for (const value of values) expect([value, sent.includes(value)]).toEqual([value, false]);
});

test("a user may not read it", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect((await browser.get(SYSTEM)).status).toBe(403);
});

test("the settings and the navigation mark it while something needs attention", async () => {
  const linksOn = async (path: string) => {
    const { document } = readPage(await (await manager.get(path)).text());
    return [SYSTEM, "/manager/settings"].map((to) =>
      textOf(document.querySelector(`nav a[href="${to}"]`)),
    );
  };
  const ACCESS = "/manager/settings/access";
  expect(await linksOn(ACCESS)).toEqual(["System", "Settings"]);
  expect(await linksOn(DASHBOARD)).toEqual(["", "Settings"]);

  await addMails([["waiting", 20 * MINUTE_MS]]);

  expect(await linksOn(ACCESS)).toEqual(["System needs attention", "Settings needs attention"]);
  expect(await linksOn(DASHBOARD)).toEqual(["", "Settings needs attention"]);
  // The others read nothing for it.
  expect(await linksOn("/manager/users")).toEqual(["", "Settings"]);
});

test("an admin reads on the dashboard and on the system page that mail is not leaving", async () => {
  expect(readText(await (await manager.get(SYSTEM)).text())).not.toContain("Needs attention");
  await addMails([
    ["failed", MINUTE_MS],
    ["failed", 2 * MINUTE_MS],
    ["expired", 3 * MINUTE_MS],
  ]);

  const dashboard = readPage(await (await manager.get(DASHBOARD)).text());
  expect(dashboard.linkTo("Emails are not being sent")).toBe(SYSTEM);
  const { text } = await readPart("Needs attention");
  expect(text).toContain("Emails are not being sent");
  expect(text).toContain("check the API key");
});

test("the dashboard and the system page tell the same of what does not work, and counts stand on the first alone", async () => {
  await addMails([["waiting", 20 * MINUTE_MS]]);
  const listOf = async (path: string) => {
    const { document } = readPage(await (await manager.get(path)).text());
    const heading = [...document.querySelectorAll("h2")].find(
      (one) => textOf(one) === "Needs attention",
    );
    return [...(heading?.closest("section")?.querySelectorAll("li") ?? [])].map(textOf);
  };

  expect(await listOf(SYSTEM)).toEqual([expect.stringMatching(/^Emails are not being sent /)]);
  expect(await listOf(DASHBOARD)).toEqual(["Emails are not being sent", "1 email queued"]);
});

test("a manager who may not read the system page is not told of it", async () => {
  await addMails([["waiting", 20 * MINUTE_MS]]);
  const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });

  expect(readText(await (await support.get(DASHBOARD)).text())).not.toContain("not being sent");
});

test("the mails show what waits, since when, what failed, and the last success", async () => {
  const now = Date.now();
  await addMails([
    ["waiting", 3 * MINUTE_MS],
    ["waiting", MINUTE_MS],
    ["failed", 10 * MINUTE_MS],
    ["failed", 25 * 60 * MINUTE_MS],
    ["sent", 60 * MINUTE_MS, now - 59 * MINUTE_MS],
  ]);

  const { facts } = await readPart("Emails");

  expect(facts.Queued).toBe("2");
  expect(facts["Oldest queued"]).toBe("3 minutes ago");
  expect(facts["Failed in 24 hours"]).toBe("1");
  expect(facts["Last sent"]).toContain("59 minutes ago");
});

test("each schedule shows its last run, its duration, what failed, and when it is late", async () => {
  expect((await readPart("Scheduled jobs")).facts["Every minute"]).toBe("Has not run yet");
  const now = Date.now();
  await gatehouse.runScheduled(new Date(now));
  await gatehouse.runHourly(new Date(now - 5 * MINUTE_MS));

  const { facts } = await readPart("Scheduled jobs");
  expect(facts["Every minute"]).toMatch(/^(now|this minute), took [\d.]+ (ms|sec)$/);
  expect(facts["Every hour"]).toMatch(/^5 minutes ago, took [\d.]+ (ms|sec)$/);

  await gatehouse.d1.exec("DELETE FROM scheduled_run");
  await addRun("minute", now - 11 * MINUTE_MS);
  await addRun("hour", now - 50 * MINUTE_MS, "prune mail, prune audit");

  const broken = await readPart("Scheduled jobs");
  expect(broken.facts["Every minute"]).toContain("Late: it should have run again");
  expect(broken.facts["Every hour"]).toContain("Failed in the last run: prune mail, prune audit");
  const { text } = await readPart("Needs attention");
  expect(text).toContain("Jobs that run every minute are late");
  expect(text).toContain("A scheduled job is failing");
  expect(text).not.toContain("Hourly jobs are late");
});

test("a job that fails is stored with its run, and the other jobs still run", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("scheduled.failed");
  await broken.d1.exec("ALTER TABLE refusing_mailbox RENAME TO refusing_mailbox_lost");
  const start = Date.now();
  await broken.runHourly(new Date(start));
  await broken.d1.exec("ALTER TABLE refusing_mailbox_lost RENAME TO refusing_mailbox");
  await broken.runHourly(new Date(start + MINUTE_MS));

  const row = await broken.d1
    .prepare("SELECT failed_at, failed_jobs, started_at FROM scheduled_run")
    .first();
  expect(row).toEqual({
    failed_at: start,
    failed_jobs: "prune refusing mailboxes",
    started_at: start + MINUTE_MS,
  });
});

test("the database shows its size against the plan", async () => {
  const { facts } = await readPart("Database");

  expect(facts.Plan).toBe("Free");
  expect(facts.Size).toMatch(/^[\d.]+ MB of 500 MB \(\d%\)$/);
  const page = readPage(await (await manager.get(SYSTEM)).text());
  const bar = page.document.querySelector("progress");
  expect(bar?.getAttribute("aria-label")).toBe("Size");
  expect(Number(bar?.getAttribute("value"))).toBeGreaterThan(0);
});

test("the page reads few rows, however many mails there are", async () => {
  await addMails(
    Array.from({ length: 900 }, (_, index) => [
      ["waiting", "failed", "sent"].at(index % 3) ?? "",
      index,
      Date.now(),
    ]),
  );

  const page = await manager.get(SYSTEM);

  expect(readText(await page.text())).toContain("more than 100");
  expect(Number(page.headers.get("x-d1-rows-read"))).toBeLessThan(1_000);
});

test("a run of the cron with nothing to do writes few rows and reads few", async () => {
  const runs = ["* * * * *", "7 * * * *"].map(async (cron) => {
    const moment = String(Date.now());
    const headers = { "x-d1-cron": cron, "x-d1-moment": moment };
    // The first run counts the dashboard's figures.
    await manager.get("/health", { headers });
    const { headers: counted } = await manager.get("/health", { headers });
    return [Number(counted.get("x-d1-rows-written")), Number(counted.get("x-d1-rows-read"))];
  });

  const [[minuteWritten, minuteRead] = [], [hourWritten, hourRead] = []] = await Promise.all(runs);
  expect(minuteWritten).toBe(1);
  // Two of them open and close the deletion of audit events.
  expect(hourWritten).toBe(3);
  // Each job looks at the beginning of an index: some twenty of them, with two to six rows each.
  expect(Math.max(minuteRead ?? 0, hourRead ?? 0)).toBeLessThan(90);
});

test("a bare installation says what to set up, with the command for it", async () => {
  await using bare = await startGatehouse({
    vars: { MAIL_FROM: "Gatehouse <no-reply@gatehouse.example>" },
    mail: "local",
    without: ["AVATARS"],
  });
  const { browser } = await anAdmin(bare);

  const { text } = await readPart("Set-up", browser);
  for (const name of [
    ...["BASE_URL", "RESEND_API_KEY", "MAIL_FROM", "RESEND_WEBHOOK_SECRET", "TURNSTILE_SITE_KEY"],
    ...["ADMIN_EMAILS", "AVATARS", "SECURITY_CONTACT"],
  ]) {
    expect(text).toContain(name);
  }
  // One command for the first four.
  expect(text.match(/npm run setup/g)).toHaveLength(2);
  expect(text).toContain("npm run setup -- --bucket");
  const { facts } = await readPart("Emails", browser);
  expect(Object.keys(facts)).toContain("Last in the local inbox");
});

test("the settings say who can always sign in, and when that is no one", async () => {
  await using bare = await startGatehouse();
  const { browser } = await anAdmin(bare);
  const settings = async (reader: Browser, part: string) =>
    readText(await (await reader.get(`/manager/settings/${part}`)).text());

  expect(await settings(manager, "security")).toContain("can always sign in with a code");
  expect(await settings(manager, "access")).toContain(
    "The admins named at installation always can",
  );
  expect(await settings(browser, "security")).toContain("no one is sure to get in with a code");
  expect(await settings(browser, "access")).toContain("ADMIN_EMAILS is empty");
});
