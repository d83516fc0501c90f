import { afterAll, beforeEach, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const ACCOUNT = "/app/account";
const CONFIRM = "/app/account/confirm?next=%2Fapp%2Faccount";

const say = translationsIn("en");
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars, isProbed: true });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.setCondition("well"));

function link(browser: Browser, account = ACCOUNT, id = "oidc"): Promise<Response> {
  return browser.submit(account, { intent: "link", provider: id });
}

/** Signs in at the provider and returns the response to the callback. */
async function followCallback(browser: Browser, pressed: Response): Promise<Response> {
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  return browser.get(back.pathname + back.search);
}

async function linkThrough(browser: Browser, account = ACCOUNT): Promise<Response> {
  return followCallback(browser, await link(browser, account));
}

/** Returns the text of the page that a response redirects to. */
async function readNext(browser: Browser, response: Response): Promise<string> {
  return readText(await (await browser.follow(response)).text());
}

async function accountsOf(userId: string, target: Pick<Gatehouse, "d1"> = gatehouse) {
  const { results } = await target.d1
    .prepare("SELECT id, provider_id FROM account WHERE user_id = ? ORDER BY created_at, id")
    .bind(userId)
    .all<{ id: string; provider_id: string }>();
  return results;
}

async function anAccount(
  userId: string,
  providerId: string,
  target: Pick<Gatehouse, "d1"> = gatehouse,
) {
  const id = crypto.randomUUID();
  const now = Date.now();
  await target.d1
    .prepare(
      "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(id, crypto.randomUUID(), providerId, userId, now, now)
    .run();
  return id;
}

async function linkEventsOf(userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.filter(({ action }) => action.startsWith("account."));
}

/** Moves the start of a user's sessions so many minutes into the past. */
function age(userId: string, minutes: number) {
  return gatehouse.d1
    .prepare("UPDATE session SET created_at = created_at - ? WHERE user_id = ?")
    .bind(minutes * 60_000, userId)
    .run();
}

test("linking an account shows its date, is recorded once, and lets the account sign in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  expect(readText(await (await browser.get(ACCOUNT)).text())).toContain(
    `${say("account:linked.email")} ${user.email} ${say("account:linked.always")} Testpass Not linked Link`,
  );
  provider.setVisitor({ email: user.email });

  const back = await linkThrough(browser);

  expect(back.headers.get("location")).toBe(ACCOUNT);
  const page = await readNext(browser, back);
  expect(page).toContain(say("account:linked.done"));
  expect(page).toMatch(/Testpass Linked .+ Unlink/);
  expect(await linkEventsOf(user.id)).toEqual([
    { action: "account.linked", actorId: user.id, details: { provider: "oidc" } },
  ]);

  const other = newBrowser(gatehouse);
  const pressed = await other.submit("/login", { intent: "social", provider: "oidc" });
  await other.follow(followCallback(other, pressed));
  const session = await (await other.get("/api/auth/get-session")).text();
  expect(JSON.parse(session)).toMatchObject({ user: { id: user.id } });
});

test("an admin returns to the account screen of the manager area", async () => {
  const { user, browser } = await anAdmin(gatehouse);
  provider.setVisitor({ email: user.email });

  expect(locationOf(await linkThrough(browser, "/manager/account"))).toBe("/manager/account");
  expect(await accountsOf(user.id)).toHaveLength(1);
});

test("linking an account again changes nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  await linkThrough(browser);

  const again = await linkThrough(browser);

  expect(await readNext(browser, again)).toContain(say("account:linked.done"));
  expect(await accountsOf(user.id)).toHaveLength(1);
  expect(await linkEventsOf(user.id)).toHaveLength(1);
});

test("an account linked to another user stays linked to them", async () => {
  const { user: owner, browser: ofOwner } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: owner.email });
  await linkThrough(ofOwner);
  // The owner's e-mail has changed since, and the second user has the e-mail that the provider knows.
  const email = owner.email;
  await gatehouse.d1
    .prepare("UPDATE user SET email = ? WHERE id = ?")
    .bind(newEmail("moved"), owner.id)
    .run();
  const { user, browser } = await aSignedInUser(gatehouse, { email });

  const back = await linkThrough(browser);

  expect(locationOf(back)).toBe(ACCOUNT);
  expect(await readNext(browser, back)).toContain(say("account:linked.taken"));
  expect(await accountsOf(user.id)).toEqual([]);
  expect(await accountsOf(owner.id)).toHaveLength(1);
});

test.each([
  ["with another e-mail", { email: newEmail("elsewhere") }, "otherAddress"],
  ["with an unverified e-mail", { isEmailVerified: false }, "unverified"],
  ["after Cancel at the provider", "refuses", "refused"],
] as const)(
  "an account %s is not linked, and the screen says why",
  async (_name, visitor, reason) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    provider.setVisitor(visitor === "refuses" ? visitor : { email: user.email, ...visitor });

    const back = await linkThrough(browser);

    expect(back.headers.get("location")).toBe(ACCOUNT);
    expect(await readNext(browser, back)).toContain(say(`account:linked.${reason}`));
    expect(await accountsOf(user.id)).toEqual([]);
  },
);

test("the screen reports a failing provider, before and after the visit to it", async () => {
  await using patient = await startGatehouse({ vars: provider.vars });
  patient.tolerateErrors();
  const { user, browser } = await aSignedInUser(patient);
  provider.setVisitor({ email: user.email });
  provider.setCondition("down");
  const refused = await link(browser);
  expect(locationOf(refused)).toBe(ACCOUNT);
  expect(await readNext(browser, refused)).toContain(say("codes:SERVICE_UNAVAILABLE"));

  provider.setCondition("well");
  const pressed = await link(browser);
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  provider.setCondition("down");
  const ended = await browser.get(back.pathname + back.search);
  provider.setCondition("well");

  expect(locationOf(ended)).toBe(ACCOUNT);
  expect(await readNext(browser, ended)).toContain(say("account:linked.failed"));
  expect(await accountsOf(user.id, patient)).toEqual([]);
});

test.each(["", "?state=x&code=y", "?state=x&error=access_denied", "?error=<script>"])(
  "an invalid callback (%s) redirects a signed-in user to the account screen and links nothing",
  async (search) => {
    const { user, browser } = await aSignedInUser(gatehouse);

    const back = await browser.get(`/api/auth/callback/oidc${search}`);

    expect(locationOf(back)).toBe(ACCOUNT);
    expect(await readNext(browser, back)).toContain(say("account:linked.failed"));
    expect(await accountsOf(user.id)).toEqual([]);
  },
);

test("a linking cannot be finished by another user or without the session", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: thief, browser: ofThief } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  const pressed = await link(browser);
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));

  await ofThief.get(back.pathname + back.search);
  expect(await accountsOf(thief.id)).toEqual([]);
  expect(await accountsOf(user.id)).toEqual([]);

  const again = await link(browser);
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  const late = await followCallback(browser, again);
  expect(locationOf(late)).toBe(ACCOUNT);
  expect(await accountsOf(user.id)).toEqual([]);
});

test("eight callbacks at once link one account", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  const backs: URL[] = [];
  for (let count = 0; count < 8; count++) {
    const pressed = await link(browser);
    backs.push(new URL(await provider.visit(pressed.headers.get("location") ?? "")));
  }

  const responses = await Promise.all(
    backs.map((back) => browser.get(back.pathname + back.search)),
  );

  for (const response of responses) expect(locationOf(response)).toBe(ACCOUNT);
  expect(await accountsOf(user.id)).toHaveLength(1);
  expect(await linkEventsOf(user.id)).toHaveLength(1);
});

test("unlinking an account is recorded once, and a code still signs in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  await linkThrough(browser);
  const [linked] = await accountsOf(user.id);

  const unlink = () => browser.submit(ACCOUNT, { intent: "unlink", account: linked?.id ?? "" });
  const page = await readNext(browser, await unlink());
  expect(page).toContain(say("account:linked.unlinked"));
  expect(page).toContain("Testpass Not linked");
  expect(await readNext(browser, await unlink())).toContain(say("codes:ACCOUNT_NOT_FOUND"));

  expect(await accountsOf(user.id)).toEqual([]);
  expect((await linkEventsOf(user.id)).at(-1)).toEqual({
    action: "account.unlinked",
    actorId: user.id,
    details: { provider: "oidc" },
  });
  expect(await linkEventsOf(user.id)).toHaveLength(2);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);
  expect((await other.get("/app")).status).toBe(200);
});

test("an account of a provider that is no longer configured is shown, and can only be unlinked", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const id = await anAccount(user.id, "github");

  const page = readText(await (await browser.get(ACCOUNT)).text());
  expect(page).toMatch(/GitHub Linked .+ · No longer offered here Unlink/);
  expect(await readNext(browser, await link(browser, ACCOUNT, "github"))).toContain(
    say("codes:PROVIDER_NOT_FOUND"),
  );

  await browser.submit(ACCOUNT, { intent: "unlink", account: id });
  expect(await accountsOf(user.id)).toEqual([]);
});

test("without providers the code by e-mail is shown as a sign-in method", async () => {
  await using plain = await startGatehouse();
  const { user, browser } = await aSignedInUser(plain);

  const page = readText(await (await browser.get(ACCOUNT)).text());

  expect(page).toContain(`${say("account:linked.email")} ${user.email}`);
  expect(page).not.toContain("Not linked");
  expect(await readNext(browser, await link(browser))).toContain(say("codes:PROVIDER_NOT_FOUND"));
});

test("a user with an unproven e-mail keeps the last account that signs in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const first = await anAccount(user.id, "oidc");
  const second = await anAccount(user.id, "oidc");
  const retired = await anAccount(user.id, "github");
  await gatehouse.d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(user.id).run();
  const unlink = (account: string) => browser.submit(ACCOUNT, { intent: "unlink", account });

  const [one, two] = await Promise.all([unlink(first), unlink(second)]);
  expect([one.status, two.status]).toEqual([302, 302]);
  const left = await accountsOf(user.id);
  expect(left).toHaveLength(2);
  const last = left.find(({ id }) => id !== retired)?.id ?? "";

  // GitHub is not configured, so its account does not count.
  expect(await readNext(browser, await unlink(last))).toContain(
    "You can't unlink your last account",
  );
  await unlink(retired);
  expect(await readNext(browser, await unlink(last))).toContain(
    "You can't unlink your last account",
  );
  expect(await accountsOf(user.id)).toMatchObject([{ id: last }]);
});

test("a passkey lets a user with an unproven e-mail unlink the last account", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const account = await anAccount(user.id, "oidc");
  await gatehouse.d1
    .prepare(
      "INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up, created_at) VALUES (?, 'key', ?, ?, 0, 'singleDevice', 0, 0)",
    )
    .bind(crypto.randomUUID(), user.id, crypto.randomUUID())
    .run();
  await gatehouse.d1.prepare("UPDATE user SET email_verified = 0 WHERE id = ?").bind(user.id).run();

  await browser.submit(ACCOUNT, { intent: "unlink", account });

  expect(await accountsOf(user.id)).toEqual([]);
});

test("another user's account cannot be unlinked", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const victim = await aUser(gatehouse);
  const id = await anAccount(victim.id, "oidc");

  const response = await browser.submit(ACCOUNT, { intent: "unlink", account: id });

  expect(await readNext(browser, response)).toContain(say("codes:ACCOUNT_NOT_FOUND"));
  expect(await accountsOf(victim.id)).toHaveLength(1);
});

test("16 minutes after the sign-in, linking and unlinking ask for a code first", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const id = await anAccount(user.id, "oidc");
  await age(user.id, 16);

  expect(locationOf(await link(browser))).toBe(CONFIRM);
  expect(locationOf(await browser.submit(ACCOUNT, { intent: "unlink", account: id }))).toBe(
    CONFIRM,
  );
  const api = await browser.api("/api/auth/link-social", { provider: "oidc" });
  expect([api.status, await api.json()]).toEqual([403, { code: "SESSION_EXPIRED" }]);

  await browser.submit(CONFIRM, { intent: "resend" });
  const code = await gatehouse.mailbox.codeFor(user.email);
  await browser.submit(CONFIRM, { intent: "verify", code });
  await browser.submit(ACCOUNT, { intent: "unlink", account: id });
  expect(await accountsOf(user.id)).toEqual([]);
});

test("an impersonator cannot link or unlink accounts", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: admin } = await anAdmin(gatehouse);
  const id = await anAccount(user.id, "oidc");
  await gatehouse.d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(admin.id, user.id)
    .run();

  const closed = "This is not available while impersonating.";
  expect(await readNext(browser, await link(browser))).toContain(closed);
  const unlinked = await browser.submit(ACCOUNT, { intent: "unlink", account: id });
  expect(await readNext(browser, unlinked)).toContain(closed);
  const api = await browser.api("/api/auth/link-social", { provider: "oidc" });
  expect([api.status, await api.json()]).toEqual([403, { code: "CLOSED_WHILE_IMPERSONATING" }]);
  expect(await accountsOf(user.id)).toHaveLength(1);
});

test("the API links only for a signed-in user, to the product's own screen, and by redirect", async () => {
  const anonymous = await newBrowser(gatehouse).api("/api/auth/link-social", { provider: "oidc" });
  expect(anonymous.status).toBe(401);
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.api("/api/auth/link-social", {
    provider: "oidc",
    callbackURL: "https://evil.example",
    errorCallbackURL: "https://evil.example",
    idToken: { token: "x" },
    scopes: ["admin"],
    additionalData: { link: { userId: "x" } },
  });

  expect(response.status).toBe(200);
  const { url } = JSON.parse(await response.text());
  expect(url.startsWith(provider.issuer)).toBe(true);
  expect(url).not.toContain("admin");
  provider.setVisitor({ email: user.email });
  const back = new URL(await provider.visit(url));
  expect(locationOf(await browser.get(back.pathname + back.search))).toBe(ACCOUNT);
  expect(await accountsOf(user.id)).toHaveLength(1);
});

test.each(["unlink-account", "list-accounts", "account-info", "get-access-token", "refresh-token"])(
  "/api/auth/%s is not offered",
  async (endpoint) => {
    const { browser } = await aSignedInUser(gatehouse);

    expect((await browser.api(`/api/auth/${endpoint}`)).status).toBe(404);
    expect((await browser.get(`/api/auth/${endpoint}`)).status).toBe(404);
  },
);

test.each(["2 before", "2 after", "3 before", "3 after"])(
  "unlinking and its audit record are written together or not at all, with a fault at call %s",
  async (fault) => {
    gatehouse.tolerateErrors();
    const { user, browser } = await aSignedInUser(gatehouse);
    const id = await anAccount(user.id, "oidc");

    await browser.submit(
      ACCOUNT,
      { intent: "unlink", account: id },
      { headers: { "x-d1-fault": fault } },
    );

    const isGone = (await accountsOf(user.id)).length === 0;
    expect(await linkEventsOf(user.id)).toHaveLength(isGone ? 2 : 1);
    await browser.submit(ACCOUNT, { intent: "unlink", account: id });
    expect(await linkEventsOf(user.id)).toHaveLength(2);
  },
);
