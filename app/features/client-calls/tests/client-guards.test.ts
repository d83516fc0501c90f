import { afterAll, expect, test } from "vitest";
import { addPasskey, newAuthenticator } from "../../../../tests/support/authenticator.ts";
import { type Browser, newBrowser } from "../../../../tests/support/client.ts";
import { clientEndpoints } from "../../../../tests/support/endpoints.ts";
import {
  anAdmin,
  aSignedInUser,
  aUser,
  impersonate,
  openSession,
} from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { isPasskeyMissing } from "../../access/passkey-demand.ts";
import type { ClientEndpoint } from "../../auth/gateway/client-endpoint.ts";

// The guards of the screens hold for each call that a feature answers: one table, so a new call has them too.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const rows = Object.entries(clientEndpoints);
const changes = rows.filter(([, { act }]) => act);

async function refusalTo(browser: Browser, path: string): Promise<string> {
  const url = `/api/auth${path}`;
  const isRead = clientEndpoints[path]?.method === "GET";
  const answer = await (isRead ? browser.get(url) : browser.api(url, {}));
  const { code }: { code?: string } = Object(JSON.parse(await answer.text()));
  return `${answer.status} ${code}`;
}

/** What better-auth answers to a user without the permission. */
const REFUSALS: Record<string, string> = {
  "/admin/list-users": "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
  "/admin/get-user": "YOU_ARE_NOT_ALLOWED_TO_GET_USER",
  "/admin/create-user": "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS",
  "/admin/update-user": "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS",
  "/admin/set-role": "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
  "/admin/ban-user": "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
  "/admin/unban-user": "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
  "/admin/list-user-sessions": "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS",
  "/admin/revoke-user-session": "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
  "/admin/revoke-user-sessions": "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
  "/admin/impersonate-user": "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS",
  "/admin/remove-user": "YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS",
};

function permissionOf({ act, needs }: ClientEndpoint) {
  return act?.permission ?? needs;
}

/** Calls each path and returns those that answer otherwise. */
async function othersThan(
  expected: string,
  browser: Browser,
  paths: readonly (readonly [string, unknown])[],
) {
  const others: string[] = [];
  for (const [path] of paths) {
    const refused = await refusalTo(browser, path);
    if (refused !== expected) others.push(`${path} ${refused}`);
  }
  return others;
}

test("no call answers an anonymous client", async () => {
  expect(await othersThan("401 UNAUTHORIZED", newBrowser(gatehouse), rows)).toEqual([]);
});

test("a user without a name calls only what gives one", async () => {
  const { browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });

  expect(await othersThan("403 NOT_ONBOARDED", browser, rows)).toEqual([
    "/update-user 400 INVALID_PAYLOAD",
  ]);
});

test("a new user gives their name by update-user, as on the onboarding screen", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });

  const answer = await browser.api("/api/auth/update-user", { name: " Layla  Haddad " });

  expect(await answer.json()).toEqual({ status: true });
  const row = await gatehouse.d1
    .prepare("SELECT name, onboarded_at FROM user WHERE id = ?")
    .bind(user.id)
    .first<{ name: string; onboarded_at: number | null }>();
  expect(row).toEqual({ name: "Layla Haddad", onboarded_at: expect.any(Number) });
  const { results } = await gatehouse.d1
    .prepare("SELECT action FROM audit_event WHERE actor_id = ?")
    .bind(user.id)
    .all();
  expect(results).toContainEqual({ action: "user.onboarded" });
});

test("no call answers a user in the grace period of the account deletion", async () => {
  const { browser } = await aSignedInUser(gatehouse, {
    deletion_due_at: Date.now() + 86_400_000,
  });

  expect(await othersThan("403 ACCOUNT_BEING_DELETED", browser, rows)).toEqual([]);
});

test("an impersonation calls nothing that changes something", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { id } = await aUser(gatehouse);
  await impersonate(browser, id);

  expect(await othersThan("403 CLOSED_WHILE_IMPERSONATING", browser, changes)).toEqual([]);
});

test("a call of the back-office refuses users without its permission, whatever they send", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const office = rows.filter(([path, row]) => path.startsWith("/admin/") && permissionOf(row));

  expect(office.map(([path]) => path).sort()).toEqual(Object.keys(REFUSALS).sort());
  for (const [path] of office) expect(await refusalTo(browser, path)).toBe(`403 ${REFUSALS[path]}`);
});

test("every call of the back-office but the question for a permission names one", () => {
  const without = rows.flatMap(([path, row]) =>
    path.startsWith("/admin/") && !permissionOf(row) ? [path] : [],
  );

  expect(without).toEqual(["/admin/has-permission"]);
});

test("who has a passkey changes sign-in methods only in a session that it has proven", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  expect((await addPasskey(browser, newAuthenticator({ origin: gatehouse.origin }))).status).toBe(
    200,
  );
  const other = newBrowser(gatehouse);
  await openSession(gatehouse, other, user.id);
  const methods = rows.filter(([, { change }]) => change === "method");

  expect(methods.map(([path]) => path).sort()).toEqual([
    "/passkey/delete-passkey",
    "/unlink-account",
  ]);
  expect(await othersThan("403 PASSKEY_REQUIRED", other, methods)).toEqual([]);
});

test("a support manager reads users and ends sessions, and changes no user", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "support" });
  const { id } = await aUser(gatehouse);

  expect((await browser.get(`/api/auth/admin/get-user?id=${id}`)).status).toBe(200);
  const ended = await browser.api("/api/auth/admin/revoke-user-sessions", { userId: id });
  expect(ended.status).toBe(200);
  const renamed = await browser.api("/api/auth/admin/update-user", {
    userId: id,
    data: { name: "Other" },
  });
  expect(await renamed.json()).toMatchObject({ code: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS" });
});

test("a session is ended by its id, never by its token, and only by its owner", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await aSignedInUser(gatehouse);
  const ofOther = await gatehouse.d1
    .prepare("SELECT id, token FROM session WHERE user_id = ?")
    .bind(other.user.id)
    .first<{ id: string; token: string }>();
  const own = await gatehouse.d1
    .prepare("SELECT id, token FROM session WHERE user_id = ?")
    .bind(user.id)
    .first<{ id: string; token: string }>();

  const list = await (await browser.get("/api/auth/list-sessions")).text();
  expect(list).not.toContain(own?.token);
  expect(JSON.parse(list)).toMatchObject([{ id: own?.id, token: own?.id }]);
  for (const token of [ofOther?.id, ofOther?.token, own?.token]) {
    await browser.api("/api/auth/revoke-session", { token });
  }
  expect((await other.browser.get("/app")).status).toBe(200);
  expect((await browser.get("/app")).status).toBe(200);

  const ended = await browser.api("/api/auth/revoke-session", { token: own?.id });
  expect(await ended.json()).toEqual({ status: true });
  expect((await browser.get("/app")).status).toBe(302);
});

test("a refusal names the field that was not accepted", async () => {
  const { browser } = await anAdmin(gatehouse);

  const answer = await browser.api("/api/auth/admin/update-user", {
    userId: "x",
    data: { email: "no e-mail" },
  });

  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    code: "INVALID_EMAIL",
    message: "Email is invalid",
    field: "data.email",
  });
});

test("a refusal of a manager's call has the screen's text, in the reader's language", async () => {
  const { user, browser } = await anAdmin(gatehouse);
  const ask = async (language: string) => {
    const answer = await browser.api(
      "/api/auth/admin/set-role",
      { userId: user.id, role: "user" },
      { headers: { "accept-language": language } },
    );
    return JSON.parse(await answer.text());
  };

  expect(await ask("en")).toMatchObject({
    code: "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
    message: "You can't change your own roles",
  });
  expect((await ask("fr")).message).not.toBe("You can't change your own roles");
});

test("the demand for a passkey closes one's account to calls too", () => {
  const demand = { passkeyDemand: "confirm", isPasskeyReleased: false, lacksPasskeyProof: true };
  const standing = { ...demand, passkeyGraceEndsAt: null, provesByPasskey: true } as const;
  const open = changes.filter(([path, { change }]) => {
    const isOwn = !path.startsWith("/admin/") && !path.startsWith("/organization/");
    return (
      isOwn && !(change && isPasskeyMissing({ ...standing, passkeyDemand: "confirm" }, change))
    );
  });

  // A name gives no one anything.
  expect(open.map(([path]) => path)).toEqual(["/update-user"]);
});
