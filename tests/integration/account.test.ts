import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import { ACCOUNT, DELETION } from "../support/account.ts";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { readPage, textOf } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  aUserSignedInByCode,
  newEmail,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const CONFIRM = "/app/account/confirm";
const SESSION_COOKIE = "gatehouse.session_token";
const DEVICE_COOKIE = "gatehouse.device";
const MINUTE_MS = 60_000;
const LOGIN_AGAIN = "/login?redirect=%2Fapp%2Faccount";
const FAULTS = faultsUpTo(5);

const say = translationsIn("en");
const gatehouse = await startGatehouse({ isProbed: true });
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function change(sql: string, ...values: (string | number)[]) {
  return gatehouse.d1
    .prepare(sql)
    .bind(...values)
    .run();
}

/** Returns the audit events about a user, except the user's creation and sign-ins. */
async function changesOf(userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.filter(({ action }) => !["user.created", "user.signed_in"].includes(action));
}

function userRow(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<{
    name: string;
    email: string;
    search_key: string;
    language: string | null;
    theme: string | null;
    version: number;
  }>();
}

// ── Name ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a new name is saved, found by the search, and recorded with the old one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Amina" });

  const response = await browser.submit(ACCOUNT, { intent: "change-name", name: "  Zoë   Ñandú " });

  expect(locationOf(response)).toBe(ACCOUNT);
  const page = readText(await (await browser.follow(response)).text());
  expect(page).toContain("Zoë Ñandú");
  expect(page).toContain(say("account:toast.nameChanged"));
  expect(await userRow(user.id)).toMatchObject({ name: "Zoë Ñandú", version: 2 });
  expect((await userRow(user.id))?.search_key).toContain("zoe nandu");
  expect(await changesOf(user.id)).toEqual([
    {
      action: "user.updated",
      actorId: user.id,
      details: { before: { name: "Amina" }, after: { name: "Zoë Ñandú" } },
    },
  ]);
});

test.each([
  ["", "Name is required"],
  ["  \t ", "Name is required"],
  ["1234", "Name is invalid"],
  ["Ada\u202e", "Name is invalid"],
  ["a".repeat(101), "Must be at most 100 characters"],
])("the name %j is refused beside the field, and the input is kept", async (name, message) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.submit(`${ACCOUNT}?state=change-name`, {
    intent: "change-name",
    name,
  });

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, "name")).toBe(message);
  expect(readPage(page).field("name")?.value).toBe(name);
  expect((await userRow(user.id))?.name).toBe(user.name);
  expect(await changesOf(user.id)).toEqual([]);
});

test("saving an unchanged name changes and records nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.submit(ACCOUNT, { intent: "change-name", name: user.name });

  expect(locationOf(response)).toBe(ACCOUNT);
  expect(await userRow(user.id)).toMatchObject({ version: 1 });
  expect(await changesOf(user.id)).toEqual([]);
});

test("a user stays findable when their e-mail changes while they save a name", async () => {
  for (let round = 0; round < 8; round++) {
    const isNew = round % 2 === 1;
    const { user, browser } = await aSignedInUser(
      gatehouse,
      isNew ? { name: "", onboarded_at: null } : {},
    );
    const to = newEmail("moved");
    const change = gatehouse.d1.prepare(
      "UPDATE user SET email = ?1, search_key = ?2 WHERE id = ?3 AND name = ?4",
    );

    await Promise.all([
      isNew
        ? browser.submit("/onboarding", { name: "Zuri" })
        : browser.submit(ACCOUNT, { intent: "change-name", name: "Zuri" }),
      change.bind(to, searchKey(user.name, to), user.id, user.name).run(),
    ]);

    const row = await userRow(user.id);
    expect(row?.search_key).toBe(searchKey(row?.name, row?.email));
  }
});

test("`?state=change-name` opens the drawer, and any other state nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const fieldAt = async (search: string) =>
    readPage(await (await browser.get(ACCOUNT + search)).text()).field("name")?.value;

  expect(await fieldAt("?state=change-name")).toBe(user.name);
  expect(await fieldAt("")).toBeUndefined();
  expect(await fieldAt("?state=delete-everything")).toBeUndefined();
});

test.each([
  ["an unknown intent", "intent=promote", "application/x-www-form-urlencoded", 400],
  ["no form", '{"intent":"revoke-all"}', "application/json", 415],
  [
    "a form too large",
    `intent=change-name&name=${"x".repeat(300_000)}`,
    "application/x-www-form-urlencoded",
    413,
  ],
  ["half a form", "x", "multipart/form-data; boundary=y", 400],
])("%s is refused and changes nothing", async (_name, body, type, status) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  for (const path of [ACCOUNT, CONFIRM]) {
    const response = await browser.request(path, {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    expect([path, response.status]).toEqual([path, status]);
    await response.arrayBuffer();
  }
  expect(await changesOf(user.id)).toEqual([]);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
});

// ── Sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Signs the same user in on another device. */
async function anotherDevice(email: string, userAgent?: string): Promise<Browser> {
  const browser = newBrowser(gatehouse);
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  const search = new URLSearchParams({ email });
  const headers = {
    ...(userAgent && { "user-agent": userAgent }),
    "mf-cf-blob": JSON.stringify({ city: "Nairobi", country: "KE" }),
  };
  await browser.submit(`/login/verify?${search}`, { intent: "verify", code }, { headers });
  return browser;
}

async function sessionIdOf(browser: Browser): Promise<string> {
  const { session } = JSON.parse(await (await browser.get("/api/auth/get-session")).text());
  return session.id;
}

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

test("the list shows the user's active sessions with device and location, the current one first and marked", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await anotherDevice(user.email, SAFARI);
  await anotherDevice(user.email, "curl/8");
  const { browser: otherUser } = await aSignedInUser(gatehouse);
  const expired = await sessionIdOf(await anotherDevice(user.email));
  await change("UPDATE session SET expires_at = 1 WHERE id = ?", expired);

  const html = await (await browser.get(ACCOUNT)).text();

  const devices = readPage(html).findAll("listitem");
  const thisDevice = devices.find((device) => textOf(device).includes("This device"));
  const list = textOf(thisDevice?.parentElement);
  expect(list).toMatch(/^Firefox on Linux This device/);
  expect(list).toContain("Safari on iOS Nairobi, KE · Last seen");
  expect(list).toContain("Unknown device Nairobi, KE");
  expect(list.match(/Last seen/g)).toHaveLength(3);
  expect(html).not.toContain(expired);
  expect(html).not.toContain(await sessionIdOf(otherUser));
  expect(html).toContain(say("account:sessions.endOthersText", { count: 2 }));
});

test("a session that was ended is refused on its next request, document or data, with one audit record", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await anotherDevice(user.email);
  const third = await anotherDevice(user.email);

  const response = await browser.submit(ACCOUNT, {
    intent: "revoke",
    session: await sessionIdOf(other),
  });

  expect(locationOf(response)).toBe(ACCOUNT);
  expect(locationOf(await other.get(ACCOUNT))).toBe(LOGIN_AGAIN);
  const data = await other.get(`${ACCOUNT}.data`);
  expect([data.status, await data.text()]).toEqual([
    202,
    expect.stringContaining("/login?redirect"),
  ]);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect((await third.get(ACCOUNT)).status).toBe(200);
  expect(await changesOf(user.id)).toEqual([
    { action: "session.revoked", actorId: user.id, details: {} },
  ]);
});

test("ending another user's session, an ended one or none changes nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: victim, browser: ofVictim } = await aSignedInUser(gatehouse);

  for (const session of [await sessionIdOf(ofVictim), crypto.randomUUID()]) {
    await browser.submit(ACCOUNT, { intent: "revoke", session });
  }
  expect(
    (await browser.submit(ACCOUNT, { intent: "revoke", session: "x".repeat(65) })).status,
  ).toBe(400);
  expect((await browser.submit(ACCOUNT, { intent: "revoke" })).status).toBe(400);

  expect((await ofVictim.get(ACCOUNT)).status).toBe(200);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect(await changesOf(victim.id)).toEqual([]);
  expect(await changesOf(user.id)).toEqual([]);
});

const INTERFACES = {
  "the account screen": {
    others: (browser: Browser) => browser.submit(ACCOUNT, { intent: "revoke-others" }),
    all: (browser: Browser) => browser.submit(ACCOUNT, { intent: "revoke-all" }),
  },
  "the API": {
    others: (browser: Browser) => browser.api("/api/auth/revoke-other-sessions"),
    all: (browser: Browser) => browser.api("/api/auth/revoke-sessions"),
  },
};

test.each(Object.keys(INTERFACES) as (keyof typeof INTERFACES)[])(
  "%s ends all other sessions, then all, each with one audit record",
  async (name) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const others = [await anotherDevice(user.email), await anotherDevice(user.email)];
    const { browser: otherUser } = await aSignedInUser(gatehouse);

    expect((await INTERFACES[name].others(browser)).status).toBeLessThan(400);
    for (const other of others) expect(locationOf(await other.get(ACCOUNT))).toBe(LOGIN_AGAIN);
    expect((await browser.get(ACCOUNT)).status).toBe(200);

    const cookie = browser.cookies.get(SESSION_COOKIE) ?? "";
    expect((await INTERFACES[name].all(browser)).status).toBeLessThan(400);
    expect(browser.cookies.get(SESSION_COOKIE) || undefined).toBeUndefined();
    browser.cookies.set(SESSION_COOKIE, cookie);
    expect(locationOf(await browser.get(ACCOUNT))).toBe(LOGIN_AGAIN);
    expect((await otherUser.get(ACCOUNT)).status).toBe(200);
    expect((await changesOf(user.id)).map(({ action, actorId }) => [action, actorId])).toEqual([
      ["session.revoked_others", user.id],
      ["session.revoked_all", user.id],
    ]);
  },
);

// ── Confirming ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Asks for a code on the confirm screen and returns it. */
async function askToConfirm(browser: Browser, email: string): Promise<string> {
  expect((await sendCode(browser)).status).toBe(302);
  return gatehouse.mailbox.codeFor(email);
}

function sendCode(browser: Browser, init?: RequestInit): Promise<Response> {
  return browser.submit(CONFIRM, { intent: "resend" }, init);
}

function enterCode(browser: Browser, code: string, init?: RequestInit): Promise<Response> {
  return browser.submit(CONFIRM, { intent: "verify", code }, init);
}

/** Moves the times of a user's codes into the past. */
function letPass(userId: string, ms: number) {
  return change(
    "UPDATE account_code SET sent_at = sent_at - ?, expires_at = expires_at - ? WHERE user_id = ?",
    ms,
    ms,
    userId,
  );
}

async function errorsIn(response: Response): Promise<string[]> {
  return alertsOf(await response.text());
}

function provedAt(userId: string) {
  return gatehouse.d1
    .prepare("SELECT authenticated_at FROM session WHERE user_id = ? ORDER BY created_at LIMIT 1")
    .bind(userId)
    .first<number | null>("authenticated_at");
}

test("a code confirms a session once, updates its time and leads to the next page", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const before = Date.now();
  const asked = await browser.get(`${CONFIRM}?next=%2Fapp%2Frepositories%3FsearchTerm%3Dx`);
  expect(readText(await asked.text())).toContain(`We will send a code to ${user.email}`);
  await sendCode(browser);
  const mail = await gatehouse.mailbox.mailFor(user.email);
  expect(mail.text).toContain("Enter this code to confirm that it is you.");
  expect(readText(await (await browser.get(CONFIRM)).text())).toContain(
    `We have sent a code to ${user.email}`,
  );

  const response = await browser.submit(`${CONFIRM}?next=%2Fapp%2Frepositories%3FsearchTerm%3Dx`, {
    intent: "verify",
    code: mail.code,
  });

  expect(locationOf(response)).toBe("/app/repositories?searchTerm=x");
  expect(await provedAt(user.id)).toBeGreaterThanOrEqual(before);
  expect(await errorsIn(await enterCode(browser, mail.code))).toEqual([say("codes:OTP_EXPIRED")]);
  expect((await changesOf(user.id)).map(({ action }) => action)).toEqual(["session.confirmed"]);
});

test.each(FAULTS)(
  "a code is used up exactly when it confirms, with a fault at call %s",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    await sendCode(browser);
    const code = await gatehouse.mailbox.codeFor(user.email);

    await enterCode(browser, code, { headers: { "x-d1-fault": fault } });

    const isLeft = await gatehouse.d1
      .prepare("SELECT 1 FROM account_code WHERE user_id = ?")
      .bind(user.id)
      .first();
    expect((await provedAt(user.id)) === null).toBe(isLeft !== null);
    expect(await changesOf(user.id)).toHaveLength(isLeft ? 0 : 1);
  },
);

test.each([
  "https://evil.example",
  "//evil.example/app",
  "/app/../../evil",
  "/login",
  "/app/account/confirm?next=%2Fapp",
])("a next page of %j is ignored", async (next) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  const response = await browser.submit(`${CONFIRM}?next=${encodeURIComponent(next)}`, {
    intent: "verify",
    code,
  });

  expect(locationOf(response)).toBe(ACCOUNT);
});

test("after three wrong codes the right one is locked too", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  for (const message of ["Code is invalid", "Code is invalid", say("codes:TOO_MANY_ATTEMPTS")]) {
    const response = await enterCode(browser, wrongCode(code));
    expect([response.status, await errorsIn(response)]).toEqual([400, [message]]);
  }
  expect(await errorsIn(await enterCode(browser, code))).toEqual([say("codes:TOO_MANY_ATTEMPTS")]);
  expect(await provedAt(user.id)).toBeNull();

  await letPass(user.id, MINUTE_MS);
  expect(locationOf(await enterCode(browser, await askToConfirm(browser, user.email)))).toBe(
    ACCOUNT,
  );
});

test.each([
  ["", "Code is required"],
  ["12345", "Code should be 6 characters"],
  ["abcdef", "Code is invalid"],
])("the malformed code %j is refused beside the field, and costs no try", async (code, message) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const right = await askToConfirm(browser, user.email);

  for (let count = 0; count < 3; count++) {
    const response = await enterCode(browser, code);
    expect(response.status).toBe(400);
    expect(accessibleError(await response.text(), "code")).toBe(message);
  }
  expect(locationOf(await enterCode(browser, right))).toBe(ACCOUNT);
});

test("a code expires after five minutes, and the screen offers another", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);
  await letPass(user.id, 5 * MINUTE_MS);

  const response = await enterCode(browser, code);

  expect(response.status).toBe(400);
  const page = readText(await response.text());
  expect(page).toContain(say("codes:OTP_EXPIRED"));
  expect(page).toContain(say("account:code.send"));
  expect(await provedAt(user.id)).toBeNull();
});

test("a code is valid only for its session, its user and its purpose", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await anotherDevice(user.email);
  const { user: otherUser, browser: ofOtherUser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  expect(await errorsIn(await enterCode(other, code))).toEqual([say("codes:OTP_EXPIRED")]);
  expect(await errorsIn(await enterCode(ofOtherUser, code))).toEqual([say("codes:OTP_EXPIRED")]);
  await askToConfirm(ofOtherUser, otherUser.email);
  await change(
    "UPDATE account_code SET code_hash = (SELECT code_hash FROM account_code WHERE user_id = ?) WHERE user_id = ?",
    user.id,
    otherUser.id,
  );
  expect(await errorsIn(await enterCode(ofOtherUser, code))).toEqual(["Code is invalid"]);
  await change("UPDATE account_code SET purpose = 'delete' WHERE user_id = ?", user.id);
  expect(await errorsIn(await enterCode(browser, code))).toEqual([say("codes:OTP_EXPIRED")]);
});

test("another code can be sent after a minute, and replaces the one before", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const first = await askToConfirm(browser, user.email);

  const tooSoon = await sendCode(browser);
  expect(tooSoon.status).toBe(429);
  expect(readText(await tooSoon.text())).toMatch(/You can ask for another code in \d+ seconds/);
  await letPass(user.id, MINUTE_MS);
  const second = await askToConfirm(browser, user.email);

  expect(await errorsIn(await enterCode(browser, first))).toEqual(["Code is invalid"]);
  expect(locationOf(await enterCode(browser, second))).toBe(ACCOUNT);
});

test("sign-in codes and confirmation codes share five an hour for each e-mail", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  // A trusted device has a small limit of its own in addition.
  browser.cookies.delete(DEVICE_COOKIE);
  for (let count = 0; count < 4; count++) {
    await askToConfirm(browser, user.email);
    await letPass(user.id, MINUTE_MS);
  }

  const response = await sendCode(browser);

  expect(response.status).toBe(429);
  expect(readText(await response.text())).toContain("Too many codes were requested");
  const signIn = await newBrowser(gatehouse).submit("/login", {
    intent: "email",
    email: user.email,
  });
  expect(signIn.status).toBe(429);
});

test.each([
  [CONFIRM, { intent: "resend" }],
  [DELETION, { intent: "resend" }],
  [ACCOUNT, { intent: "request-deletion" }],
  [ACCOUNT, { intent: "change-email", email: newEmail("new") }],
])(
  "%s answers one code too many, requested with %j, with a Retry-After header",
  async (screen, form) => {
    const { user, browser } = await aUserSignedInByCode(gatehouse);
    browser.cookies.delete(DEVICE_COOKIE);
    for (let count = 0; count < 4; count++) await askForCode(newBrowser(gatehouse), user.email);

    for (const path of [screen, `${screen}.data`]) {
      const response = await browser.submit(path, form);
      expect(response.status).toBe(429);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(60);
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    }
  },
);

test("each code has a row in the outbox, and waits there while the provider fails", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  gatehouse.mailbox.answerNext({ status: 500 });

  expect((await sendCode(browser)).status).toBe(302);

  const row = () =>
    gatehouse.d1
      .prepare(
        "SELECT kind, state, payload FROM mail_outbox WHERE recipient = ? AND kind = 'account-code'",
      )
      .bind(user.email)
      .first<{ kind: string; state: string; payload: string | null }>();
  expect(await row()).toMatchObject({ state: "waiting" });
  await expect
    .poll(async () => {
      await gatehouse.runScheduled(new Date(Date.now() + 2 * MINUTE_MS));
      return row();
    })
    .toMatchObject({ state: "sent", payload: null });
  const code = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, code))).toBe(ACCOUNT);
});

test("a code that cannot be queued is not sent, and the screen says so", async () => {
  await using broken = await startGatehouse();
  const { user, browser } = await aSignedInUser(broken);
  // The update that marks the previous mail as sent may fail too.
  broken.tolerateErrors();
  await broken.d1.exec("ALTER TABLE mail_outbox RENAME TO outbox_away");

  const response = await sendCode(browser);

  expect(response.status).toBe(503);
  expect(readText(await response.text())).toContain(say("codes:MAIL_NOT_SENT"));
  await broken.logged("mail.not_queued");
  await broken.d1.exec("ALTER TABLE outbox_away RENAME TO mail_outbox");
  expect((await sendCode(browser)).status).toBe(302);
  const code = await broken.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, code))).toBe(ACCOUNT);
});

test("one code entered 50 times at once confirms once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  const responses = await Promise.all(Array.from({ length: 50 }, () => enterCode(browser, code)));

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([302, ...Array.from({ length: 49 }, () => 400)]);
  expect(await changesOf(user.id)).toHaveLength(1);
});

test.each(FAULTS)("asking for a code survives a fault at call %s", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await sendCode(browser, { headers: { "x-d1-fault": fault } });
  const text = readText(await response.text());

  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(text).toMatch(/We could not send the code|Something went wrong/);
    // The mail may be queued although the request failed: the cron sends it, or the user asks again a minute later.
    await letPass(user.id, MINUTE_MS);
    await change("DELETE FROM mail_outbox WHERE recipient = ?", user.email);
    expect((await sendCode(browser)).status).toBe(302);
  }
  const code = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, code))).toBe(ACCOUNT);
});

test.each(FAULTS)("entering a code survives a fault at call %s", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  const response = await enterCode(browser, code, { headers: { "x-d1-fault": fault } });

  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    const again = await enterCode(browser, code);
    if (again.status !== 302) await enterCode(browser, await askToConfirm(browser, user.email));
  }
  const events = (await changesOf(user.id)).map(({ action }) => action);
  expect(new Set(events)).toEqual(new Set(["session.confirmed"]));
  expect(await provedAt(user.id)).toEqual(expect.any(Number));
});

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 4))(
  "a name and its audit record are written together or not at all, with a fault at call %s",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse, { name: "Amina" });

    await browser.submit(
      ACCOUNT,
      { intent: "change-name", name: "Zuri" },
      { headers: { "x-d1-fault": fault } },
    );

    const isChanged = (await userRow(user.id))?.name === "Zuri";
    expect(await changesOf(user.id)).toHaveLength(isChanged ? 1 : 0);
    expect((await browser.submit(ACCOUNT, { intent: "change-name", name: "Zuri" })).status).toBe(
      302,
    );
  },
);

// ── Language and theme ────────────────────────────────────────────────────────────────────────────────────────────

function choose(browser: Browser, intent: "language" | "theme", value: string, init?: RequestInit) {
  return browser.submit("/preferences", { intent, value, back: ACCOUNT }, init);
}

async function lookOf(response: Response) {
  const html = await response.text();
  return {
    language: readPage(html).rootAttribute("lang"),
    theme: readPage(html).rootAttribute("data-theme"),
  };
}

test("a language and a theme are saved to the account, recorded once, and keep the version", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  for (let again = 0; again < 2; again++) {
    await choose(browser, "language", "sw");
    await choose(browser, "theme", "dark");
  }

  expect(await userRow(user.id)).toMatchObject({ language: "sw", theme: "dark", version: 1 });
  expect((await auditOf(gatehouse, user.id)).slice(-2)).toEqual([
    {
      action: "user.language_changed",
      actorId: user.id,
      details: { before: { language: null }, after: { language: "sw" } },
    },
    {
      action: "user.theme_changed",
      actorId: user.id,
      details: { before: { theme: null }, after: { theme: "dark" } },
    },
  ]);
  expect((await changesOf(user.id)).map(({ action }) => action)).toEqual([
    "user.language_changed",
    "user.theme_changed",
  ]);
  const page = await (await browser.get(ACCOUNT)).text();
  for (const name of ["Kiswahili", "Giza"]) {
    const button = readPage(page).find("button", name);
    expect(button?.getAttribute("aria-pressed")).toBe("true");
  }
});

test("an anonymous visitor's choice is saved only in the browser", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const browser = newBrowser(gatehouse);

  await choose(browser, "language", "fr");

  expect(browser.cookies.get("i18next")).toBe("fr");
  expect(await userRow(user.id)).toMatchObject({ language: null });
});

test("a device without a choice starts with the account's language and theme", async () => {
  const user = await aUser(gatehouse, { language: "ar", theme: "dark" });
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, user.email);

  expect(await lookOf(await browser.get("/app"))).toEqual({ language: "ar", theme: "dark" });
  expect(browser.cookies.get("i18next")).toBe("ar");
  expect(await lookOf(await browser.get("/nothing"))).toEqual({ language: "ar", theme: "dark" });
});

test("a device keeps its own choices, and `?lng=` sets the language", async () => {
  const user = await aUser(gatehouse, { language: "ar", theme: "dark" });
  const browser = newBrowser(gatehouse);
  await choose(browser, "language", "fr");
  await choose(browser, "theme", "light");
  await signIn(gatehouse, browser, user.email);
  expect(await lookOf(await browser.get("/app"))).toEqual({ language: "fr", theme: "light" });

  const asking = newBrowser(gatehouse);
  await signIn(gatehouse, asking, user.email);
  expect(await lookOf(await asking.get("/app?lng=sw"))).toEqual({ language: "sw", theme: "dark" });
  expect(asking.cookies.get("i18next")).toBe("sw");
});

test("when the database fails, a choice still holds in the browser, the system theme included", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { language: "en", theme: "dark" });
  expect(await lookOf(await browser.get("/app"))).toMatchObject({ theme: "dark" });

  for (const fault of ["1 before", "2 before"]) {
    const init = { headers: { "x-d1-fault": fault } };
    expect((await choose(browser, "language", "ar", init)).status).toBe(303);
    expect((await choose(browser, "theme", "system", init)).status).toBe(303);
  }

  expect(await userRow(user.id)).toMatchObject({ language: "en", theme: "dark" });
  expect(await lookOf(await browser.get("/app"))).toEqual({ language: "ar", theme: undefined });
});

test("a mail is in the account's language, and without one in the page's", async () => {
  const subjectFor = async (email: string) => {
    await askForCode(newBrowser(gatehouse, { language: "fr" }), email);
    return (await gatehouse.mailbox.mailFor(email)).html;
  };

  expect(await subjectFor((await aUser(gatehouse, { language: "ar" })).email)).toContain(
    'lang="ar" dir="rtl"',
  );
  expect(await subjectFor((await aUser(gatehouse)).email)).toContain('lang="fr"');
  expect(await subjectFor(newEmail())).toContain('lang="fr"');
});

test("managers have the same account screen in their area", async () => {
  const { user, browser } = await anAdmin(gatehouse);

  const response = await browser.submit("/manager/account", {
    intent: "change-name",
    name: "Mona",
  });
  expect(locationOf(response)).toBe("/manager/account");
  await browser.submit("/manager/account/confirm", { intent: "resend" });
  const code = await gatehouse.mailbox.codeFor(user.email);
  const confirmed = await browser.submit("/manager/account/confirm?next=", {
    intent: "verify",
    code,
  });

  expect(locationOf(confirmed)).toBe("/manager/account");
  expect(setCookieOf(confirmed, SESSION_COOKIE)).toBeUndefined();
  expect((await userRow(user.id))?.name).toBe("Mona");
});
