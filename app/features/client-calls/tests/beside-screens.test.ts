import { afterAll, expect, test } from "vitest";
import { saveAccess } from "../../../../tests/support/access-settings.ts";
import { auditOf } from "../../../../tests/support/audit.ts";
import { addPasskey, newAuthenticator } from "../../../../tests/support/authenticator.ts";
import { type Browser, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { clientEndpoints } from "../../../../tests/support/endpoints.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { organizationClientFor, refusalOf } from "../../../../tests/support/organization-client.ts";
import { anInvitation, anOrganization, newSlug } from "../../../../tests/support/organizations.ts";
import {
  anAdmin,
  aSignedInUser,
  aUser,
  impersonate,
  newEmail,
  openSession,
  type Person,
} from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { USER_LIMITS } from "../../../values/rate-limits.ts";

// Each rule that the screens keep holds for the calls beside them.

const DAY_MS = 86_400_000;
const ADMIN_EMAIL = newEmail("owner");
const say = translationsIn("en");

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: ADMIN_EMAIL } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;

const rowOf = (id: string) =>
  d1
    .prepare("SELECT name, email, role, banned, language, theme, avatar FROM user WHERE id = ?")
    .bind(id)
    .first();

/** Gives a user all changes that a minute allows. */
async function exhaust(userId: string) {
  const used = { count: USER_LIMITS.changes.max, window_start: Date.now() };
  await insertRows(d1, "rate_limit", [{ ...used, key: `changes|${userId}` }]);
}

test.each([
  ["/update-user", { name: "Another" }],
  ["/passkey/update-passkey", { id: "nobody-has-this", name: "Another" }],
  ["/organization/create", { name: "Acme", slug: "acme-of-many" }],
])("a client's call of %s beyond the limit is refused and changes nothing", async (path, body) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await exhaust(user.id);
  const before = [await rowOf(user.id), await auditOf(gatehouse, user.id)];

  const refused = await browser.api(`/api/auth${path}`, body);

  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect([await rowOf(user.id), await auditOf(gatehouse, user.id)]).toEqual(before);
});

test("a manager's calls have the same limit, and another user's go on", async () => {
  const { user: admin, browser } = await anAdmin(gatehouse);
  const { id, name } = await aUser(gatehouse);
  const other = await aSignedInUser(gatehouse);
  await exhaust(admin.id);

  const call = { userId: id, data: { name: "Another" } };
  expect((await browser.api("/api/auth/admin/update-user", call)).status).toBe(429);
  expect(await rowOf(id)).toMatchObject({ name });
  const renamed = await other.browser.api("/api/auth/update-user", { name: "Another" });
  expect(renamed.status).toBe(200);
});

test("a user makes 120 changes of organizations a minute, on screens and by calls together", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const activate = () =>
    browser.api("/api/auth/organization/set-active", { organizationId: organization.id });
  expect((await activate()).status).toBe(200);
  await d1
    .prepare("UPDATE rate_limit SET count = ? WHERE key = ?")
    .bind(USER_LIMITS.changes.max - 1, `changes|${user.id}`)
    .run();

  expect((await activate()).status).toBe(200);
  const called = await activate();
  expect([called.status, Number(called.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const posted = await browser.submit("/app/organizations/new", { name: "One more" });
  expect(locationOf(posted)).toBe("/app/organizations/new");
  expect(await (await browser.follow(posted)).text()).toContain("Too many attempts");
  expect((await browser.get("/api/auth/organization/list")).status).toBe(200);
});

test("five new slugs a day count by calls too, and the last three of an organization stay taken", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const given: string[] = [];
  const rename = async () => {
    const slug = newSlug();
    given.push(slug);
    const answer = await browser.api("/api/auth/organization/update", {
      organizationId: organization.id,
      data: { name: "Brand", slug },
    });
    const { code }: { code?: string } = JSON.parse(await answer.text());
    return [answer.status, code];
  };

  for (let count = 0; count < 5; count++) expect(await rename()).toEqual([200, undefined]);
  expect(await rename()).toEqual([429, "TOO_MANY_REQUESTS"]);

  const other = await aSignedInUser(gatehouse);
  const free: boolean[] = [];
  for (const slug of given) {
    const answer = await other.browser.api("/api/auth/organization/check-slug", { slug });
    free.push(answer.status === 200);
  }
  expect(free).toEqual([true, false, false, false, false, true]);
});

test("who has not accepted the terms of now makes no call", async () => {
  const inForce = await d1
    .prepare("SELECT terms_version FROM site_setting")
    .first<string | null>("terms_version");
  const { browser } = await aSignedInUser(gatehouse, { terms_version: inForce ?? "1" });
  const { browser: manager } = await anAdmin(gatehouse, { terms_version: inForce ?? "1" });
  const url = "https://example.com/terms";
  await saveAccess(gatehouse, manager, { termsUrl: url, privacyUrl: url, termsVersion: "next" });

  const refused = await browser.get("/api/auth/organization/list");

  expect([refused.status, await refused.json()]).toEqual([
    403,
    expect.objectContaining({ code: "TERMS_NOT_ACCEPTED" }),
  ]);
  await d1.exec("UPDATE site_setting SET terms_url = NULL, privacy_url = NULL");
});

test("a call answers an error code when the session cannot be read", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  gatehouse.tolerateErrors();
  const answers: Record<string, string> = {};

  for (const [path, { method, failure = "DATABASE_UNAVAILABLE" }] of Object.entries(
    clientEndpoints,
  )) {
    const headers = { "content-type": "application/json", "x-d1-fault": "1 before" };
    const body = method === "POST" ? "{}" : undefined;
    const answer = await browser.request(`/api/auth${path}`, { method, body, headers });
    const { code }: { code?: string } = JSON.parse(await answer.text());
    if (answer.status !== 503 || code !== failure) answers[path] = `${answer.status} ${code}`;
  }

  expect(answers).toEqual({});
});

test("an impersonation reads nothing of the back-office, also when the user is promoted", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { id } = await aUser(gatehouse);
  await impersonate(browser, id);

  for (const role of ["user", "admin"]) {
    await d1.prepare("UPDATE user SET role = ? WHERE id = ?").bind(role, id).run();
    expect((await browser.get("/api/auth/admin/list-users")).status).toBe(403);
  }
  await d1.prepare("DELETE FROM user WHERE id = ?").bind(id).run();
});

test("where managers need a passkey, a session without its proof calls nothing of the back-office", async () => {
  const { user, browser } = await anAdmin(gatehouse);
  await addPasskey(browser, newAuthenticator({ origin: gatehouse.origin }));
  await d1.prepare("UPDATE site_setting SET manager_passkeys_since = ?").bind(Date.now()).run();
  const unproven = newBrowser(gatehouse);
  await openSession(gatehouse, unproven, user.id);

  expect((await unproven.get("/api/auth/admin/list-users")).status).toBe(403);

  await d1.exec("UPDATE site_setting SET manager_passkeys_since = NULL");
});

test("a client changes no e-mail without the codes of both mailboxes", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");

  for (const [path, code] of [
    ["/email-otp/change-email", "OTP_EXPIRED"],
    ["/email-otp/request-email-change", "OTP_EXPIRED"],
    ["/update-user", "INVALID_EMAIL"],
  ]) {
    const body = { newEmail: to, email: to, otp: "123456", name: "Name" };
    const response = await browser.api(`/api/auth${path}`, body);
    expect([path, response.status]).toEqual([path, 400]);
    expect(JSON.parse(await response.text())).toMatchObject({ code });
  }
  expect(gatehouse.mailbox.mails.filter((mail) => mail.to === to)).toEqual([]);
  expect(await rowOf(user.id)).toMatchObject({ email: user.email });
});

test("a manager neither gives an e-mail of ADMIN_EMAILS, nor touches the person who has it", async () => {
  const { browser } = await anAdmin(gatehouse);
  const fields = { name: "New", email: ADMIN_EMAIL, role: "user" };
  const asked = await browser.api("/api/auth/admin/create-user", fields);
  expect([asked.status, await asked.json()]).toMatchObject([
    403,
    { code: "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS" },
  ]);

  const { id: userId } = await aUser(gatehouse, { email: ADMIN_EMAIL, role: "admin" });
  const before = await rowOf(userId);
  for (const [path, input] of [
    ["ban-user", { userId }],
    ["remove-user", { userId }],
    ["set-role", { userId, role: "user" }],
    ["update-user", { userId, data: { role: "user" } }],
  ] as const) {
    const answer = await browser.api(`/api/auth/admin/${path}`, input);
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      403,
      expect.objectContaining({ code: "FORBIDDEN", message: say("users:refusal.listed_admin") }),
    ]);
  }
  expect(await rowOf(userId)).toEqual(before);
});

/** Makes an organization with an owner and a member. */
async function aCompany() {
  const [owner, member] = [await aSignedInUser(gatehouse), await aSignedInUser(gatehouse)];
  const { organization, members } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, members: [member.user] },
  );
  const memberId = members.find(({ user_id }) => user_id === member.user.id)?.id ?? "";
  return { owner, member, memberId, organization, organizationId: organization.id };
}

test("better-auth's client offers ownership and accepts it, and the answer has the role of now", async () => {
  const { owner, member, memberId, organizationId } = await aCompany();
  const by = (browser: Browser) => organizationClientFor(gatehouse, browser);

  const changed = await by(owner.browser).updateMemberRole({
    organizationId,
    memberId,
    role: "owner",
  });
  expect(changed.data).toMatchObject({ id: memberId, role: "member" });
  const invitationId =
    (await d1
      .prepare("SELECT id FROM invitation WHERE organization_id = ? AND status = 'pending'")
      .bind(organizationId)
      .first<string>("id")) ?? "";
  const accepted = await by(member.browser).acceptInvitation({ invitationId });
  expect(accepted.data).toMatchObject({
    invitation: { id: invitationId, status: "accepted" },
    member: { id: memberId, role: "owner" },
  });
  expect(await refusalOf(by(member.browser).acceptInvitation({ invitationId }))).toBe(
    "400 INVITATION_NOT_FOUND",
  );
});

test("a stale session sends no invitation above member again", async () => {
  const { owner, organizationId } = await aCompany();
  const { email } = await anInvitation(gatehouse, {
    organization_id: organizationId,
    inviter_id: owner.user.id,
    sent_at: 1,
    role: "admin",
  });
  await makeStale(owner.user);

  const client = organizationClientFor(gatehouse, owner.browser);
  for (const role of ["member", "admin"] as const) {
    const again = { organizationId, email, resend: true, role };
    expect(await refusalOf(client.inviteMember(again))).toBe("403 SESSION_EXPIRED");
  }
  const sent = "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?";
  expect(await d1.prepare(sent).bind(email).first("n")).toBe(0);
});

async function makeStale({ id }: Pick<Person, "id">) {
  await d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - DAY_MS, id)
    .run();
}

test("an admin of an organization cancels no invitation of an owner", async () => {
  const { owner, member, organizationId } = await aCompany();
  await d1.prepare("UPDATE member SET role = 'admin' WHERE user_id = ?").bind(member.user.id).run();
  const { id: invitationId } = await anInvitation(gatehouse, {
    organization_id: organizationId,
    inviter_id: owner.user.id,
    role: "owner",
  });

  const cancelled = await member.browser.api("/api/auth/organization/cancel-invitation", {
    invitationId,
  });

  expect(await cancelled.json()).toMatchObject({ code: "INVITATION_NOT_FOUND" });
});

test("an invitation is listed while its inviter may invite, and accepted no longer than that", async () => {
  const { owner, organizationId } = await aCompany();
  const { user, browser } = await aSignedInUser(gatehouse);
  const { id: invitationId } = await anInvitation(gatehouse, {
    organization_id: organizationId,
    inviter_id: owner.user.id,
    email: user.email,
  });
  const listed = async () =>
    (await browser.get("/api/auth/organization/list-user-invitations")).json();
  expect(await listed()).toHaveLength(1);

  await d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(owner.user.id).run();

  expect(await listed()).toEqual([]);
  const accepted = await browser.api("/api/auth/organization/accept-invitation", { invitationId });
  expect(accepted.status).toBe(400);
});
