import { expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { settled, tryAgain } from "../support/outbox.ts";
import { anAdmin, aUser, enterCode, newEmail, signIn, wrongCode } from "../support/people.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

/** Returns every text that no log line may contain: cookies' secrets, mailed codes and links, the mail key. */
function secretsOf(gatehouse: Gatehouse, cookies: Map<string, string>[]): string[] {
  const values = cookies
    .flatMap((jar) => [...jar])
    .filter(([name]) => /session_token|device|ban/.test(name))
    .flatMap(([, value]) => [
      value,
      decodeURIComponent(value),
      ...decodeURIComponent(value).split("."),
    ]);
  const mailed = gatehouse.mailbox.mails.flatMap(({ code, link }) => [code, link]);
  return [...new Set([...values, ...mailed, gatehouse.mailbox.apiKey])].filter(
    (secret) => secret.length >= 6,
  );
}

function expectNoSecrets(gatehouse: Gatehouse, cookies: Map<string, string>[]): void {
  const secrets = secretsOf(gatehouse, cookies);
  expect(secrets.length).toBeGreaterThan(3);
  for (const { text } of gatehouse.logs) {
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
}

test("a sign-in with mistakes logs no secret and no e-mail", async () => {
  await using gatehouse = await startGatehouse();
  const browser = newBrowser(gatehouse);
  const email = newEmail("private");
  gatehouse.mailbox.answerNext({ status: 500 });
  await browser.submit("/login", { intent: "email", email });
  await settled(gatehouse, email);
  await tryAgain(gatehouse);
  const code = await gatehouse.mailbox.codeFor(email);
  const wrong = wrongCode(code);
  await enterCode(browser, email, wrong);
  await enterCode(browser, email, code);
  const jar = new Map(browser.cookies);
  await browser.get("/app");
  await browser.api("/api/auth/revoke-other-sessions");
  await browser.submit("/sign-out", {});
  await gatehouse.logged("auth.sign-out");

  expectNoSecrets(gatehouse, [jar]);
  const lines = gatehouse.logs.map(({ text }) => text).join("\n");
  expect(lines).not.toContain(wrong);
  expect(lines).not.toContain(email);
});

test("without one of its tables the product logs no statement's values", async () => {
  await using gatehouse = await startGatehouse();
  gatehouse.tolerateErrors();
  await gatehouse.d1.exec(`PRAGMA foreign_keys = OFF`);
  for (const table of [
    "session",
    "user",
    "verification",
    "code_event",
    "sign_in_code",
    "rate_limit",
    "mail_outbox",
    "audit_event",
    "account",
  ]) {
    await breakTable(gatehouse, table);
  }
});

/** Signs in, fails and reads pages without a table, and looks for secrets in the log and in what was answered. */
async function breakTable(gatehouse: Gatehouse, table: string): Promise<void> {
  const { browser } = await anAdmin(gatehouse);
  const { email } = await aUser(gatehouse);
  const other = newBrowser(gatehouse);
  await other.submit("/login", { intent: "email", email });
  const code = await gatehouse.mailbox.codeFor(email);
  const jar = new Map(browser.cookies);
  const lines = gatehouse.logs.length;
  await gatehouse.d1.exec(`ALTER TABLE ${table} RENAME TO elsewhere`);

  const answers = [
    await enterCode(other, email, code),
    await enterCode(newBrowser(gatehouse), email, "000000"),
    await newBrowser(gatehouse).submit("/login", { intent: "email", email: newEmail() }),
    await browser.get("/app"),
    await browser.get("/manager/dashboard"),
    await browser.get("/api/auth/get-session"),
    await browser.api("/api/auth/revoke-other-sessions"),
    await browser.get("/ready"),
    await browser.submit("/sign-out", {}),
  ];
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  await gatehouse.runHourly(new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000));
  await gatehouse.d1.exec(`ALTER TABLE elsewhere RENAME TO ${table}`);

  expect([table, gatehouse.logs.length > lines]).toEqual([table, true]);
  expectNoSecrets(gatehouse, [jar, other.cookies]);
  for (const body of bodies) expect(body).not.toMatch(/no such table|SQLITE|D1_ERROR|params:/);
}

test("each step of a sign-in logs one line of JSON with the request's id", async () => {
  await using gatehouse = await startGatehouse();
  const browser = newBrowser(gatehouse);
  const response = await signIn(gatehouse, browser, newEmail());
  const out = await browser.submit("/sign-out", {});
  const events = [
    "auth.email-otp.send-verification-otp",
    "auth.sign-in.email-otp",
    "auth.sign-out",
  ];

  for (const event of events) {
    await gatehouse.logged(event);
    const lines = gatehouse.logs.filter((line) => line.event === event);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: "info", request: expect.any(String) });
  }
  const [, signedIn, signedOut] = events.map((event) =>
    gatehouse.logs.find((line) => line.event === event),
  );
  expect(signedIn?.request).toBe(response.headers.get("x-request-id"));
  expect(signedOut?.request).toBe(out.headers.get("x-request-id"));
});

test("a refused sign-in is logged", async () => {
  await using gatehouse = await startGatehouse();
  const { email } = await aUser(gatehouse, { banned: 1 });
  const browser = newBrowser(gatehouse);
  await enterCode(browser, email, "000000");
  const refused = await gatehouse.logged("auth.refused");
  expect(refused).toMatchObject({ level: "warn", code: "INVALID_OTP", path: "/sign-in/email-otp" });
});

test("each 403 and each 500 logs one line with the request's id", async () => {
  await using gatehouse = await startGatehouse();
  gatehouse.expectErrors("request.failed");
  const { browser } = await anAdmin(gatehouse);
  const { browser: user } = await anAdmin(gatehouse, { role: "user" });
  await gatehouse.d1.exec("ALTER TABLE mail_outbox RENAME TO elsewhere");

  const forbidden = await user.get("/manager/dashboard");
  const foreign = await user.submit("/sign-out", {}, { headers: { origin: "null" } });
  const failed = await browser.get("/manager/mail");

  for (const [event, response] of [
    ["access.denied", forbidden],
    ["origin.refused", foreign],
    ["request.failed", failed],
  ] as const) {
    await gatehouse.logged(event);
    const lines = gatehouse.logs.filter((line) => line.event === event);
    expect(lines.map(({ request }) => request)).toEqual([response.headers.get("x-request-id")]);
  }
});

test("a client's input cannot forge a log line", async () => {
  await using gatehouse = await startGatehouse();
  const browser = newBrowser(gatehouse);

  await browser.get('/nothing%0A{"level":"error","event":"forged"}', {
    headers: { "cf-ray": 'x"}{"event":"forged"' },
  });
  await browser.submit("/login", {
    intent: "email",
    email: 'x\n{"level":"error","event":"forged"}',
  });
  await browser.get("/health");

  expect(gatehouse.logs.filter(({ event }) => event === "forged")).toEqual([]);
});

test("a failing export logs one line, without the search term", async () => {
  await using gatehouse = await startGatehouse();
  // The runtime logs the broken stream too.
  gatehouse.expectErrors("export.failed", "console");
  const { browser } = await anAdmin(gatehouse);
  await gatehouse.d1.exec("ALTER TABLE organization RENAME TO elsewhere");

  const search = new URLSearchParams({ searchTerm: "jane.doe@example.com" });
  const response = await browser.get(`/manager/organizations/export?${search}`);
  // A proxy between the test and the worker may end the broken stream normally.
  await response.text().catch(() => "");

  const line = await gatehouse.logged("export.failed");
  expect(line).toMatchObject({
    export: "organizations",
    error: expect.stringMatching(/no such table/),
  });
  expect(line.request).toBe(response.headers.get("x-request-id"));
  expect(gatehouse.logs.filter(({ text }) => text.includes("jane.doe"))).toEqual([]);
});
