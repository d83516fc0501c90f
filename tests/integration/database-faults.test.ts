import { afterAll, expect, test } from "vitest";
import { alertsOf, type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { aSignedInUser, askForCode, aUser, enterCode, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

/** More than any request here asks the database; past the last call a fault changes nothing. */
const MAX_CALLS = 14;
const FAULTS = ["before", "after"].flatMap((moment) =>
  Array.from({ length: MAX_CALLS }, (_, index) => `${index + 1} ${moment}`),
);

const gatehouse = await startGatehouse({ isProbed: true });
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function withFault(fault: string): RequestInit {
  return { headers: { "x-d1-fault": fault } };
}

function count(sql: string, ...values: string[]): Promise<number> {
  return gatehouse.d1
    .prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>("n")
    .then((n) => n ?? -1);
}

/** What is refused is refused in words, with a status that says whose fault it is. */
async function expectExcuse(response: Response): Promise<void> {
  expect(response.status).toBeGreaterThanOrEqual(500);
  const page = await response.text();
  expect(page).not.toMatch(/D1_ERROR|Network connection lost|\bat .+:\d+:\d+/);
  expect(readText(page)).toMatch(/\p{L}/u);
}

test("a fault strikes", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect((await browser.get("/app", withFault("1 before"))).status).toBe(500);
  expect((await browser.get("/app", withFault("1 after"))).status).toBe(500);
});

test.each(FAULTS)("asking for a code survives a fault at call %s", async (fault) => {
  const email = newEmail();
  const browser = newBrowser(gatehouse);

  const response = await browser.submit("/login", { intent: "email", email }, withFault(fault));

  if (response.status === 302) {
    expect(await count("mail_outbox WHERE recipient = ?", email)).toBe(1);
    await gatehouse.mailbox.codeFor(email);
  } else {
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(alertsOf(await response.text())).toHaveLength(1);
    // A row that was written though nobody heard of it is sent by the cron; its code is replaced by the next one.
    await gatehouse.d1.prepare("DELETE FROM mail_outbox WHERE recipient = ?").bind(email).run();
  }
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  expect(locationOf(await enterCode(browser, email, code))).toBe("/login");
});

test.each(FAULTS)("entering a code survives a fault at call %s", async (fault) => {
  for (const email of [newEmail("stranger"), (await aUser(gatehouse)).email]) {
    const browser = newBrowser(gatehouse);
    await askForCode(browser, email);
    const code = await gatehouse.mailbox.codeFor(email);
    const verify = `/login/verify?email=${encodeURIComponent(email)}`;

    const response = await browser.submit(verify, { intent: "verify", code }, withFault(fault));

    expect(await count("user WHERE email = ?", email)).toBeLessThanOrEqual(1);
    if (response.status === 302) {
      expect(locationOf(response)).toBe("/login");
    } else {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(alertsOf(await response.text()).length).toBeGreaterThan(0);
      const again = await enterCode(browser, email, code);
      if (again.status !== 302) {
        await askForCode(browser, email);
        const next = await gatehouse.mailbox.codeFor(email);
        expect(locationOf(await enterCode(browser, email, next))).toBe("/login");
      }
    }
    const session = await (await browser.get("/api/auth/get-session")).text();
    expect(JSON.parse(session)).toMatchObject({ user: { email } });
    expect(await count("user WHERE email = ?", email)).toBe(1);
  }
});

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 4))(
  "giving a name survives a fault at call %s, and is on record once",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });

    const response = await browser.submit("/onboarding", { name: "Zuri" }, withFault(fault));
    if (response.status !== 302) {
      await expectExcuse(response);
      expect(locationOf(await browser.submit("/onboarding", { name: "Zuri" }))).toBe("/app");
    }

    expect(readText(await (await browser.get("/app")).text())).toContain("Hello Zuri");
    expect(
      await count("audit_event WHERE action = 'user.onboarded' AND target_id = ?", user.id),
    ).toBe(1);
  },
);

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 10))(
  "signing out ends in this browser, even with a fault at call %s",
  async (fault) => {
    const { browser } = await aSignedInUser(gatehouse);

    const response = await browser.submit("/sign-out", {}, withFault(fault));

    expect(locationOf(response)).toBe("/login");
    expect(browser.cookies.has("gatehouse.session_token")).toBe(false);
    expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  },
);

test.each(["1 before", "1 after", "2 before", "2 after"])(
  "reading with a fault at call %s is excused, and works when tried again",
  async (fault) => {
    const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
    for (const path of ["/app", "/manager/dashboard", "/api/auth/get-session"]) {
      const response = await browser.get(path, withFault(fault));
      if (response.status !== 200) await expectExcuse(response);
      expect((await browser.get(path)).status).toBe(200);
    }
  },
);

test.each([
  ["/manager/users", "?searchTerm=ada&role=admin&sort=name&direction=asc"],
  ["/manager/repositories", "?searchTerm=ada&sort=name&direction=asc"],
  ["/app/repositories", "?searchTerm=ada"],
  ["/manager/audit", ""],
  ["/manager/mail", ""],
])(
  "where the list of %s cannot be had, the screen stays and offers Retry",
  async (path, search) => {
    const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

    for (const fault of ["2 before", "2 after"]) {
      const response = await browser.get(path + search, withFault(fault));

      expect(response.status).toBe(500);
      const page = await response.text();
      expect(alertsOf(page)).toEqual(["Something went wrong"]);
      expect(retryOf(page)).toBe(path + search);
      // The search, the order and the filters are still there to be changed.
      for (const [name, value] of new URLSearchParams(search)) {
        expect(page).toMatch(new RegExp(`<input\\b[^>]*\\sname="${name}"[^>]*\\svalue="${value}"`));
      }
      expect(page).not.toMatch(/D1_ERROR|Network connection lost|No Data|No results/);
    }
    expect((await browser.get(path + search)).status).toBe(200);
  },
);

/** Where a page's Retry leads. */
function retryOf(page: string): string | undefined {
  const links = page.matchAll(/<a\b[^>]*\shref="([^"]*)"[^>]*>((?:(?!<\/a>)[\s\S])*)<\/a>/g);
  const [, address] = [...links].find(([, , text]) => readText(text ?? "") === "Retry") ?? [];
  return address?.replaceAll("&amp;", "&");
}

test("with a fault while looking for a session the way in still shows", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  for (const path of ["/login", "/login/error"]) {
    const response: Response = await ask(browser, path);
    expect(response.status).toBe(200);
  }
});

function ask(browser: Browser, path: string): Promise<Response> {
  return browser.get(path, withFault("1 before"));
}
