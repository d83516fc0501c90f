import { afterAll, beforeEach, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { type Browser, newBrowser, readText } from "../support/client.ts";
import { cancelByForm, inviteByForm } from "../support/invite.ts";
import { anOrganization, type InvitationRow } from "../support/organizations.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  newEmail,
  type Person,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

// Invitations end with the standing of who made them, and no one's invitations use up another's.

const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const { browser: manager } = await anAdmin(gatehouse);
const save = (settings: Record<string, string>) => saveAccess(gatehouse, manager, settings);
beforeEach(() => save({ signUpMode: "open" }));

/** An owner whose account is no longer new, with an organization. */
async function anOwner(overrides: Partial<Person> = {}) {
  const created_at = Date.now() - 2 * DAY_MS;
  const { user, browser } = await aSignedInUser(gatehouse, { created_at, ...overrides });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const invite = (email: string, role = "member") =>
    inviteByForm(gatehouse, browser, organization, { email, role });
  const cancel = (invitation: string) => cancelByForm(browser, organization, invitation);
  return { user, browser, organization, invite, cancel };
}

function findInvitation(id: string) {
  return gatehouse.d1
    .prepare("SELECT * FROM invitation WHERE id = ?")
    .bind(id)
    .first<InvitationRow>();
}

/** Accepts an invitation by its form. True when the person is a member then. */
async function isLetIn(
  { browser, user }: Awaited<ReturnType<typeof aSignedInUser>>,
  invitation: string,
) {
  const path = `/invitations/${invitation}`;
  await (await browser.submit(path, { intent: "accept" })).arrayBuffer();
  const membership = "SELECT 1 FROM member WHERE user_id = ?";
  return (await gatehouse.d1.prepare(membership).bind(user.id).first()) !== null;
}

/** The invitations that wait for a person, as links to them. */
async function waitingFor(browser: Browser) {
  const page = await (await browser.get("/app/organizations")).text();
  return new Set(page.match(/\/invitations\/[\w-]{20,}/g));
}

/** True when a person without an account gets a sign-in code. */
async function isAdmitted(email: string): Promise<boolean> {
  await askForCode(newBrowser(gatehouse), email);
  const codes = "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'login-code'";
  return (await gatehouse.d1.prepare(codes).bind(email).first("n")) === 1;
}

test("a ban cancels the open invitations of the banned, one by one and for several", async () => {
  const [one, two, good] = [await anOwner(), await anOwner(), await anOwner()];
  const made = [await one.invite(newEmail()), await two.invite(newEmail())];
  const kept = await good.invite(newEmail());

  await manager.submit(`/manager/users/${one.user.id}`, { intent: "ban", duration: "7" });
  await manager.submit("/manager/users", { intent: "ban", id: two.user.id });

  for (const { id } of made) expect((await findInvitation(id))?.status).toBe("canceled");
  expect((await findInvitation(kept.id))?.status).toBe("pending");
});

test.each([
  ["is banned", "UPDATE user SET banned = 1 WHERE id = ?"],
  ["is leaving", `UPDATE user SET deletion_due_at = ${Date.now() + DAY_MS} WHERE id = ?`],
  ["is a member who may not invite", "UPDATE member SET role = 'member' WHERE user_id = ?"],
  ["is no member any more", "DELETE FROM member WHERE user_id = ?"],
])("an invitation lets no one in when its inviter %s", async (_state, change) => {
  await save({ signUpMode: "invitation", organizationsAdmit: "yes" });
  const owner = await anOwner();
  await gatehouse.d1
    .prepare(
      "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'owner', 1)",
    )
    .bind(crypto.randomUUID(), owner.organization.id, (await aUser(gatehouse)).id)
    .run();
  const [known, stranger] = [await aSignedInUser(gatehouse), newEmail("second")];
  const toKnown = await owner.invite(known.user.email);
  const other = newEmail("still");
  await owner.invite(other);
  await owner.invite(stranger, "owner");
  expect(await isAdmitted(other)).toBe(true);
  await gatehouse.d1.prepare(change).bind(owner.user.id).run();

  expect(await isAdmitted(stranger)).toBe(false);
  expect(await isLetIn(known, toKnown.id)).toBe(false);
  const page = readText(await (await known.browser.get(`/invitations/${toKnown.id}`)).text());
  expect(page).toContain("This invitation is no longer valid");
  expect(await waitingFor(known.browser)).toEqual(new Set());
});

test("by invitation, only admins let people in, unless organizations may too", async () => {
  await save({ signUpMode: "invitation" });
  const [owner, admin] = [await anOwner(), await anOwner({ role: "admin" })];
  const [byOwner, byAdmin] = [newEmail("by-owner"), newEmail("by-admin")];
  await owner.invite(byOwner);
  await admin.invite(byAdmin);

  expect([await isAdmitted(byOwner), await isAdmitted(byAdmin)]).toEqual([false, true]);
  await save({ signUpMode: "invitation", organizationsAdmit: "yes" });
  expect(await isAdmitted(byOwner)).toBe(true);
});

test("a user invites an e-mail twice a day, and takes no one else's turn", async () => {
  const [bad, honest] = [await anOwner(), await anOwner()];
  const email = newEmail("target");
  for (let count = 0; count < 2; count++) {
    const { id, status } = await bad.invite(email);
    expect(status).toBe(200);
    await bad.cancel(id);
  }

  const refused = await bad.invite(email);
  expect(refused.status).toBe(409);
  expect(readText(refused.page)).toContain(t("codes:INVITATION_LIMIT_REACHED"));
  expect((await honest.invite(email)).status).toBe(200);
  expect((await bad.invite(newEmail())).status).toBe(200);
});

test("beyond five invitation mails a day the mail is dropped, and the invitation waits in the account", async () => {
  const reader = await aSignedInUser(gatehouse);
  for (let count = 0; count < 6; count++) {
    expect((await (await anOwner()).invite(reader.user.email)).status).toBe(200);
  }

  const mails =
    "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'organization-invitation'";
  expect(await gatehouse.d1.prepare(mails).bind(reader.user.email).first("n")).toBe(5);
  expect((await waitingFor(reader.browser)).size).toBe(6);
});

test("an account younger than a day invites twenty", async () => {
  const fresh = await anOwner({ created_at: Date.now() });
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) {
    statuses.push((await fresh.invite(newEmail())).status);
  }

  expect(statuses).toEqual([...Array(20).fill(200), 409]);
});

test("an owner's invitation is shown to owners, and only they cancel it", async () => {
  const owner = await anOwner();
  const admin = await aSignedInUser(gatehouse);
  await gatehouse.d1
    .prepare(
      "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'admin', 1)",
    )
    .bind(crypto.randomUUID(), owner.organization.id, admin.user.id)
    .run();
  const [email, other] = [newEmail("new-owner"), newEmail("new-member")];
  const { id } = await owner.invite(email, "owner");
  await owner.invite(other);
  const screen = `/app/organizations/${owner.organization.slug}/invitations`;
  const shown = async (browser: Browser) => {
    const page = readText(await (await browser.get(screen)).text());
    return [email, other].map((one) => page.includes(one));
  };

  expect(await shown(owner.browser)).toEqual([true, true]);
  expect(await shown(admin.browser)).toEqual([false, true]);
  await admin.browser.submit(screen, { intent: "cancel", invitation: id });
  expect((await findInvitation(id))?.status).toBe("pending");
  await owner.cancel(id);
  expect((await findInvitation(id))?.status).toBe("canceled");
});
