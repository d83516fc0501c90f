import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  type Authenticator,
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { accessibleError, locationOf, newBrowser, readText } from "../support/client.ts";
import { expectRefusal, keyHolders } from "../support/passkeys.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const HOUR_MS = 3_600_000;
const REGISTER = "/api/auth/passkey/verify-registration";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { origin } = gatehouse;

const { aKeyHolder, count, makeStale } = keyHolders(gatehouse);

test("the options ask for a discoverable passkey with user verification and without attestation", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  expect(await optionsFor(browser, "register")).toMatchObject({
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [],
    rp: { id: "localhost", name: "Gatehouse" },
    user: { name: user.email },
  });
  const options = await optionsFor(newBrowser(gatehouse), "authenticate");
  expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
  expect(options).not.toHaveProperty("allowCredentials");
});

test.each([
  ["role = 'admin'", "/manager/dashboard"],
  ["onboarded_at = NULL", "/onboarding"],
  ["deletion_due_at = 99999999999999", "/restore"],
])("a sign-in of a user with %s leads to %s", async (change, url) => {
  const { user, authenticator } = await aKeyHolder();
  await gatehouse.d1.prepare(`UPDATE user SET ${change} WHERE id = ?`).bind(user.id).run();

  const answer = await signInWithPasskey(newBrowser(gatehouse), authenticator);

  expect(await answer.json()).toEqual({ url, redirect: true });
});

test("a passkey of a known password manager gets its name, and the next one a number", async () => {
  const aaguid = "bada5566-a7aa-401f-bd96-45619a55120d";
  const { user, browser } = await aKeyHolder({ aaguid });
  expect(readText(await (await browser.get("/app/account")).text())).toContain("1Password");

  await addPasskey(browser, newAuthenticator({ origin, aaguid }));
  await addPasskey(browser, newAuthenticator({ origin, aaguid }));

  for (const name of ["1Password", "1Password 2", "1Password 3"]) {
    expect(await count("passkey WHERE user_id = ? AND name = ?", user.id, name)).toBe(1);
  }
});

test("the answer to adding a passkey has only its id", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const authenticator = newAuthenticator({ origin });

  const added = await addPasskey(browser, authenticator);

  expect(Object.keys(JSON.parse(await added.text()))).toEqual(["id"]);
});

test.each(["packed", "apple"] as const)(
  "a passkey with a manufacturer's attestation (%s) is refused",
  async (format) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const { challenge } = await optionsFor(browser, "register");

    const response = await browser.api(REGISTER, {
      response: newAuthenticator({ origin }).create(challenge, format),
    });

    await expectRefusal(response, 400, "FAILED_TO_VERIFY_REGISTRATION");
    expect(await count("passkey WHERE user_id = ?", user.id)).toBe(0);
  },
);

test("a passkey with a self-attestation is accepted, because some browsers send one", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { challenge } = await optionsFor(browser, "register");

  const response = await browser.api(REGISTER, {
    response: newAuthenticator({ origin }).create(challenge, "packed-self"),
  });

  expect(response.status).toBe(200);
});

test("adding a passkey requires a fresh sign-in", async () => {
  const anonymous = newBrowser(gatehouse);
  const path = "/api/auth/passkey/generate-register-options";
  await expectRefusal(await anonymous.get(path), 401, "UNAUTHORIZED");

  const { user, browser } = await aSignedInUser(gatehouse);
  const { challenge } = await optionsFor(browser, "register");
  await makeStale(user.id);
  await expectRefusal(await browser.get(path), 403, "SESSION_EXPIRED");
  const response = newAuthenticator({ origin }).create(challenge);
  await expectRefusal(await browser.api(REGISTER, { response }), 403, "SESSION_EXPIRED");
  await expectRefusal(await anonymous.api(REGISTER, { response }), 401, "UNAUTHORIZED");
});

test("a session of five days that was just confirmed may add a passkey", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = ? WHERE user_id = ?")
    .bind(Date.now() - 5 * 24 * HOUR_MS, Date.now(), user.id)
    .run();

  expect((await addPasskey(browser, newAuthenticator({ origin }))).status).toBe(200);
});

test("a challenge of another user adds no passkey", async () => {
  const { browser: one } = await aSignedInUser(gatehouse);
  const { browser: other } = await aSignedInUser(gatehouse);
  const { challenge } = await optionsFor(one, "register");
  const cookie = one.cookies.get("gatehouse.passkey");
  if (!cookie) throw new Error("There is no cookie of the challenge");
  other.cookies.set("gatehouse.passkey", cookie);

  const response = await other.api(REGISTER, {
    response: newAuthenticator({ origin }).create(challenge),
  });

  await expectRefusal(response, 401, "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY");
});

test("the options exclude existing passkeys, and adding one twice is refused", async () => {
  const { browser, authenticator } = await aKeyHolder();

  const options = await optionsFor(browser, "register");
  expect(options.excludeCredentials).toMatchObject([{ id: authenticator.id }]);
  const response = await browser.api(REGISTER, {
    response: authenticator.create(options.challenge),
  });
  await expectRefusal(response, 409, "CONFLICT");
});

test("a user has at most ten passkeys, even when several are added at once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const insert = gatehouse.d1.prepare(
    `INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
     VALUES (?1, 'Old', '', ?2, ?1, 0, 'singleDevice', 0, 1)`,
  );
  await gatehouse.d1.batch(
    Array.from({ length: 9 }, () => insert.bind(crypto.randomUUID(), user.id)),
  );
  await gatehouse.d1
    .prepare(
      "UPDATE session SET passkey_proved_at = 1, passkey_proved_by = 'old' WHERE user_id = ?",
    )
    .bind(user.id)
    .run();
  const ready: { cookie: string; authenticator: Authenticator; challenge: string }[] = [];
  for (let index = 0; index < 5; index++) {
    const { challenge } = await optionsFor(browser, "register");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    ready.push({ cookie, authenticator: newAuthenticator({ origin }), challenge });
  }

  const answers = await Promise.all(
    ready.map(({ cookie, authenticator, challenge }) =>
      browser.api(REGISTER, { response: authenticator.create(challenge) }, { headers: { cookie } }),
    ),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(await refused?.json()).toMatchObject({ code: "TOO_MANY_PASSKEYS" });
  expect(await count("passkey WHERE user_id = ?", user.id)).toBe(10);
  const page = await (await browser.get("/app/account")).text();
  expect(readText(page)).not.toContain("Add a passkey");
});

test("an impersonator cannot add, rename or remove passkeys", async () => {
  const { user, browser, id } = await aKeyHolder();
  const { user: admin } = await anAdmin(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(admin.id, user.id)
    .run();

  const path = "/api/auth/passkey/generate-register-options";
  await expectRefusal(await browser.get(path), 403, "CLOSED_WHILE_IMPERSONATING");
  const rename = { intent: "rename-passkey", passkey: id, passkeyName: "Mine" };
  expect(locationOf(await browser.submit("/app/account", rename))).toBe("/app/account");
  const remove = { intent: "remove-passkey", passkey: id };
  expect(locationOf(await browser.submit("/app/account", remove))).toBe("/app/account");
  expect(locationOf(await browser.get("/app/account?state=add-passkey"))).toBe("/app");
  expect(await count("passkey WHERE id = ? AND name = 'Firefox · Linux'", id)).toBe(1);
});

test("the owner renames and removes a passkey, each recorded once", async () => {
  const { user, browser, authenticator, id } = await aKeyHolder();
  const rename = { intent: "rename-passkey", passkey: id, passkeyName: "  Work   laptop " };

  expect(locationOf(await browser.submit("/app/account", rename))).toBe("/app/account");
  expect(readText(await (await browser.get("/app/account")).text())).toContain("Work laptop");
  const remove = { intent: "remove-passkey", passkey: id };
  expect(locationOf(await browser.submit("/app/account", remove))).toBe("/app/account");
  expect((await browser.submit("/app/account", remove)).status).toBe(404);

  const actions = (await auditOf(gatehouse, user.id)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith("passkey."))).toEqual([
    "passkey.added",
    "passkey.renamed",
    "passkey.removed",
  ]);
  const answer = await signInWithPasskey(newBrowser(gatehouse), authenticator);
  await expectRefusal(answer, 401, "AUTHENTICATION_FAILED");
});

test("another user's passkey can be neither renamed nor removed", async () => {
  const { user, id } = await aKeyHolder();
  const { browser } = await aSignedInUser(gatehouse);

  const rename = { intent: "rename-passkey", passkey: id, passkeyName: "Mine" };
  expect((await browser.submit("/app/account", rename)).status).toBe(404);
  const remove = { intent: "remove-passkey", passkey: id };
  expect((await browser.submit("/app/account", remove)).status).toBe(404);
  expect(await count("passkey WHERE id = ? AND name = 'Firefox · Linux'", id)).toBe(1);
  expect(
    await count("audit_event WHERE action LIKE 'passkey.re%' AND target_id = ?", user.id),
  ).toBe(0);
});

test("a passkey needs a valid name", async () => {
  const { browser, id } = await aKeyHolder();
  const path = `/app/account?state=rename-passkey&passkey=${id}`;

  for (const [passkeyName, error] of [
    ["", "Name is required"],
    ["x".repeat(101), "Must be at most 100 characters"],
    ["\u202egnp", "Name is invalid"],
  ] as const) {
    const fields = { intent: "rename-passkey", passkey: id, passkeyName };
    const response = await browser.submit(path, fields);
    expect(response.status).toBe(400);
    expect(accessibleError(await response.text(), "passkeyName")).toBe(error);
  }
});

test("a passkey that is saved under the name it has says nothing", async () => {
  const { browser, id } = await aKeyHolder();
  const name = await gatehouse.d1
    .prepare("SELECT name FROM passkey WHERE id = ?")
    .bind(id)
    .first<string>("name");
  const save = (passkeyName: string) =>
    browser.submit("/app/account", { intent: "rename-passkey", passkey: id, passkeyName });

  const same = await save(name ?? "");
  expect([same.status, locationOf(same)]).toEqual([302, "/app/account"]);
  expect(same.headers.getSetCookie().join()).not.toContain("toast");
  expect((await save("Mine")).headers.getSetCookie().join()).toContain("toast");
});

test("adding and removing after an hour ask for a code", async () => {
  const { user, browser, id } = await aKeyHolder();
  await makeStale(user.id);

  const remove = { intent: "remove-passkey", passkey: id };
  expect(locationOf(await browser.submit("/app/account", remove))).toBe(
    "/app/account/confirm?next=%2Fapp%2Faccount",
  );
  const options = "/api/auth/passkey/generate-register-options";
  await expectRefusal(await browser.get(options), 403, "SESSION_EXPIRED");
  expect(await count("passkey WHERE id = ?", id)).toBe(1);
});
