import { afterAll, expect, test } from "vitest";
import { startAnalytics } from "../support/analytics.ts";
import { type Browser, readText } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, manyUsers } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SYSTEM = "/manager/system";
const MINUTE_MS = 60_000;

const analytics = await startAnalytics();
const secrets = {
  GITHUB_CLIENT_ID: `github-${crypto.randomUUID()}`,
  GITHUB_CLIENT_SECRET: `secret-${crypto.randomUUID()}`,
  ADMIN_EMAILS: "hidden-admin@example.org",
  SECURITY_CONTACT: "https://contact.example.org/hidden",
};
const gatehouse = await startGatehouse({ isProbed: true, vars: { ...analytics.vars, ...secrets } });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await analytics[Symbol.asyncDispose]();
});
const { browser: manager } = await anAdmin(gatehouse);

/** Returns the facts of one panel by their terms, and its state. */
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

test("the page has every part in two round trips, and no value of a setting", async () => {
  await gatehouse.d1
    .prepare(
      `INSERT INTO scheduled_run (schedule, started_at, duration_ms, failed_at, failed_jobs)
       VALUES ('minute', ?1, 5, ?2, 'mail'), ('hour', ?1, 5, NULL, NULL)`,
    )
    .bind(Date.now(), Date.now() - 60 * MINUTE_MS)
    .run();
  // The first request of a session also notes that the user was seen.
  await manager.get(SYSTEM);
  const page = await manager.get(SYSTEM);
  const data = await manager.get(`${SYSTEM}.data`);

  expect(page.status).toBe(200);
  expect(Number(page.headers.get("x-d1-calls"))).toBe(2);
  const html = await page.text();
  expect(readText(html)).toContain("3 parts need attention");
  const headings = [...readPage(html).document.querySelectorAll("h1, h2")].map(textOf);
  expect(headings).toEqual([
    "System",
    // These three need attention.
    ...["Emails", "Scheduled jobs", "Deployment settings"],
    ...["Database", "Version", "Platform"],
  ]);
  const sent = html + (await data.text());
  const values = [
    ...Object.values(secrets),
    ...Object.values(analytics.vars),
    ...[gatehouse.secret, gatehouse.mailbox.apiKey, gatehouse.mailbox.url],
  ];
  for (const value of values) expect([value, sent.includes(value)]).toEqual([value, false]);
  const sections = readPage(html).document;
  expect(sections.querySelector('a[href="#settings"]')?.textContent).toBe("Deployment settings");
  expect(textOf(sections.querySelector("#settings h2"))).toBe("Deployment settings");
  await gatehouse.d1.exec("DELETE FROM scheduled_run");
  // The names are there, so the search above looks at the right text.
  for (const name of ["GITHUB_CLIENT_SECRET", "CLOUDFLARE_ANALYTICS_TOKEN", "RESEND_API_KEY"]) {
    expect(sent).toContain(name);
  }
});

test("a user may not read it, and has no link to it", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect((await browser.get(SYSTEM)).status).toBe(403);
  expect(await (await manager.get("/manager/dashboard")).text()).toContain(`href="${SYSTEM}"`);
});

test("each schedule shows its last run, its duration, what failed, and when it is late", async () => {
  const { built } = (await (await manager.get("/health")).json()) as { built: string };
  const isNew = Date.now() - Date.parse(built) < 60 * MINUTE_MS;
  expect((await readPart("Scheduled jobs")).text).toContain(
    isNew ? "Waiting for the first run" : "Needs attention",
  );
  expect((await readPart("Scheduled jobs")).facts["Every minute"]).toContain("Has not run yet");
  const now = Date.now();

  await gatehouse.runScheduled(new Date(now));
  await gatehouse.runHourly(new Date(now - 5 * MINUTE_MS));

  const ran = await readPart("Scheduled jobs");
  expect(ran.text).toContain("Working");
  expect(ran.facts["Every minute"]).toMatch(/^(now|this minute), took [\d.]+ (ms|sec)$/);
  expect(ran.facts["Every hour"]).toMatch(/^5 minutes ago, took [\d.]+ (ms|sec)$/);

  await setRun("minute", { started_at: now - 11 * MINUTE_MS });
  await setRun("hour", {
    started_at: now - 50 * MINUTE_MS,
    failed_at: now - 50 * MINUTE_MS,
    failed_jobs: "prune mail, count stars",
  });

  const broken = await readPart("Scheduled jobs");
  expect(broken.text).toContain("Not working");
  expect(broken.facts["Every minute"]).toContain("Late: it should have run again");
  expect(broken.facts["Every hour"]).toContain(
    "Failed in the last run: removing old emails and count stars",
  );
  // A request of a manager finds the late schedule, on every screen.
  const dashboard = readText(await (await manager.get("/manager/dashboard")).text());
  expect(dashboard).toContain("Jobs that run every minute are late");
  expect(dashboard).not.toContain("Hourly jobs are late");
  await gatehouse.d1.exec("DELETE FROM scheduled_run");
});

async function setRun(schedule: string, columns: Record<string, string | number>) {
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  await gatehouse.d1
    .prepare(`UPDATE scheduled_run SET ${set.join(", ")} WHERE schedule = ?`)
    .bind(...Object.values(columns), schedule)
    .run();
}

test("missing migrations are named with the command that applies them", async () => {
  const complete = await readPart("Version");
  expect(complete.facts.Migrations).toMatch(/^All \d+ are applied$/);
  expect(complete.text).not.toContain("Working");
  await gatehouse.d1.exec(
    "UPDATE d1_migrations SET name = '9999_next.sql' WHERE name LIKE '0034_%'",
  );

  const { text, facts } = await readPart("Version");

  expect(text).toContain("Not working");
  expect(facts.Migrations).toContain("Not applied: 0034_system.sql");
  expect(facts.Migrations).toContain("wrangler d1 migrations apply");
  expect(facts.Migrations).toContain("Unknown to this version: 9999_next.sql");
  await gatehouse.d1.exec(
    "UPDATE d1_migrations SET name = '0034_system.sql' WHERE name LIKE '9999_%'",
  );
});

test("the mail queue shows what waits, since when, what failed, and the last success", async () => {
  expect((await readPart("Emails")).facts.Queued).toBe("0");
  const now = Date.now();
  await insertRows(
    gatehouse.d1,
    "mail_outbox",
    (
      [
        ["waiting", 3 * MINUTE_MS, null],
        ["waiting", MINUTE_MS, null],
        ["failed", 10 * MINUTE_MS, null],
        ["failed", 25 * 60 * MINUTE_MS, null],
        ["sent", 60 * MINUTE_MS, now - 59 * MINUTE_MS],
      ] as const
    ).map(([state, age, sentAt], index) => ({
      ...{ id: `m${index}`, kind: "new-device", recipient: "x@example.com", language: "en" },
      ...{ state, next_try_at: 9e14, expires_at: 9e14, created_at: now - age },
      sent_at: sentAt,
    })),
  );

  const { text, facts } = await readPart("Emails");

  expect(text).toContain("Needs attention");
  expect(facts.Queued).toBe("2, the oldest from 3 minutes ago");
  expect(facts["Failed in 24 hours"]).toBe("1");
  expect(facts["Last sent"]).toContain("59 minutes ago");
  await gatehouse.d1.exec("DELETE FROM mail_outbox");
});

test("rows read and written come from Cloudflare; a failure is named and never kept", async () => {
  const readRows = async () => {
    const { facts } = await readPart("Database");
    return facts["Rows today"] ?? facts["Rows read today"];
  };
  analytics.set("refusing");
  expect(await readRows()).toContain("Cloudflare refused the token");
  analytics.set("erring");
  expect(await readRows()).toContain("Cloudflare refused the token");
  analytics.set("failing");
  expect(await readRows()).toContain("Cloudflare's analytics failed");
  analytics.set("hanging");
  expect(await readRows()).toContain("did not answer within 2 seconds");

  analytics.set("well", { rowsRead: 4_100_000, rowsWritten: 2_000 });

  const { text, facts } = await readPart("Database");
  expect(text).toContain("Needs attention");
  expect(facts.Plan).toBe("Free");
  expect(facts.Size).toMatch(/^[\d.]+ MB of 500 MB \(\d%\)$/);
  expect(facts["Rows read today"]).toBe("4,100,000 of 5,000,000 (82%)");
  expect(facts["Rows written today"]).toBe("2,000 of 100,000 (2%)");
  const { CLOUDFLARE_ANALYTICS_TOKEN, CLOUDFLARE_ACCOUNT_ID, D1_DATABASE_ID } = analytics.vars;
  expect(analytics.asked.at(-1)).toEqual({
    authorization: `Bearer ${CLOUDFLARE_ANALYTICS_TOKEN}`,
    variables: {
      account: CLOUDFLARE_ACCOUNT_ID,
      database: D1_DATABASE_ID,
      day: new Date().toISOString().slice(0, 10),
    },
  });
  // The answer is kept for a minute.
  analytics.set("failing");
  expect(await readRows()).toBe("4,100,000 of 5,000,000 (82%)");
});

test("the page reads few rows, however many mails and admins there are", async () => {
  const now = Date.now();
  const mails = Array.from({ length: 900 }, (_, index) => ({
    ...{ id: `many-${index}`, kind: "new-device", recipient: "x@example.com", language: "en" },
    state: ["waiting", "failed", "sent"].at(index % 3) ?? "",
    ...{ next_try_at: 9e14, expires_at: 9e14, created_at: now - index, sent_at: now },
  }));
  await insertRows(gatehouse.d1, "mail_outbox", mails);
  const admins = Array.from({ length: 150 }, () => ({ role: "admin" }));
  await manyUsers(gatehouse, admins);

  const page = await manager.get(SYSTEM);

  expect(readText(await page.text())).toContain("more than 100");
  expect(Number(page.headers.get("x-d1-rows-read"))).toBeLessThan(1_000);
  await gatehouse.d1.exec("DELETE FROM mail_outbox");
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
  expect(Math.max(minuteRead ?? 0, hourRead ?? 0)).toBeLessThan(60);
});

test("a bare installation says what to set, and works without bucket and analytics", async () => {
  await using bare = await startGatehouse({
    vars: { MAIL_FROM: "Gatehouse <no-reply@gatehouse.example>" },
    mail: "local",
    without: ["AVATARS"],
  });
  const { browser } = await anAdmin(bare);

  const settings = await readPart("Deployment settings", browser);
  const problems = [
    "BASE_URL",
    "RESEND_API_KEY",
    "MAIL_FROM",
    "TURNSTILE_SITE_KEY",
    "ADMIN_EMAILS",
  ];
  for (const name of problems) expect(settings.text).toContain(name);
  expect(settings.text).toContain("npx wrangler secret put RESEND_API_KEY");
  const platform = await readPart("Platform", browser);
  expect(platform.facts["Pictures (R2)"]).toContain("Not connected");
  expect(platform.facts["Passkey domain"]).toBe("localhost");
  expect(platform.facts["Admins with a passkey"]).toBe("0 of 1");
  const database = await readPart("Database", browser);
  expect(database.facts["Rows today"]).toContain("set CLOUDFLARE_ANALYTICS_TOKEN");
});
