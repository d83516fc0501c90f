import { afterAll, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { auditOf } from "../support/audit.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import {
  anInvitation,
  anOrganization,
  type InvitationRow,
  type OrganizationRow,
} from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const HOUR_MS = 3_600_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

/** Makes an invitation of an organization's owner to an e-mail. */
async function anOffer(
  email: string,
  overrides: Partial<InvitationRow> = {},
  state: Partial<OrganizationRow> = {},
) {
  const owner = await aUser(gatehouse, { name: "Olga Owner" });
  const { organization, members } = await anOrganization(
    gatehouse,
    { name: newEmail("Zeitgeist").replace("@example.com", ""), ...state },
    { owner },
  );
  const own = { organization_id: organization.id, inviter_id: owner.id, email };
  const { id } = await anInvitation(gatehouse, { ...own, ...overrides });
  return { organization, owner, ownership: members[0], id, path: `/invitations/${id}` };
}

async function membershipOf(organizationId: string, userId: string) {
  const { results } = await gatehouse.d1
    .prepare("SELECT role FROM member WHERE organization_id = ? AND user_id = ?")
    .bind(organizationId, userId)
    .all<{ role: string }>();
  return results;
}

async function headingOn(browser: Browser, path: string) {
  const response = await browser.get(path);
  expect(response.status).toBe(200);
  const page = readPage(await response.text());
  return page.document.querySelector("h1")?.textContent.replace(/[\u2066-\u2069]/g, "");
}

function answer(browser: Browser, path: string, intent = "accept"): Promise<Response> {
  return browser.submit(path, { intent });
}

test.each([
  ["open", {}, "signInHint"],
  ["invitation", {}, "accountNeeded"],
  ["invitation", { organizationsAdmit: "yes" }, "signInHint"],
  ["closed", { organizationsAdmit: "yes" }, "accountNeeded"],
  ["open", { blockedDomains: "example.com" }, "accountNeeded"],
] as const)(
  "in mode %s with %o an invitation says to its reader: %s",
  async (signUpMode, settings, said) => {
    const manager = await anAdmin(gatehouse);
    await saveAccess(gatehouse, manager.browser, { signUpMode, ...settings });
    const [stranger, known] = [
      await anOffer(newEmail()),
      await anOffer((await aUser(gatehouse)).email),
    ];

    for (const { path } of [stranger, known]) {
      const page = readText(await (await newBrowser(gatehouse).get(path)).text());
      const texts = {
        signInHint: t("organizations:invitation.signInHint"),
        accountNeeded: t("organizations:invitation.accountNeeded", { inviter: "Olga Owner" }),
      };
      const found = Object.entries(texts).filter(([, text]) =>
        page.replace(/[\u2066-\u2069]/g, "").includes(text),
      );
      expect(found.map(([name]) => name)).toEqual([said]);
    }
    await saveAccess(gatehouse, manager.browser, { signUpMode: "open" });
  },
);

test("a new person signs in, gives a name, comes back to the invitation and joins", async () => {
  const email = newEmail("brand-new");
  const { organization, id, path } = await anOffer(email, { role: "admin" });
  const browser = newBrowser(gatehouse);
  const search = new URLSearchParams({ email });
  const open = readPage(await (await browser.get(`${path}?${search}`)).text());
  expect(open.text()).toContain("Olga Owner invited you as an admin. Admins manage members,");
  expect(open.find("button", t("organizations:invitation.accept"))).toBeUndefined();

  const login = open.linkTo(t("organizations:invitation.signIn")) ?? "";
  expect(readPage(await (await browser.get(login)).text()).field("email")?.value).toBe(email);
  const verify = locationOf(await browser.submit(login, { intent: "email", email })) ?? "";
  const code = await gatehouse.mailbox.codeFor(email);
  const entered = locationOf(await browser.submit(verify, { intent: "verify", code })) ?? "";
  expect(entered).toBe(`/onboarding?redirect=${encodeURIComponent(path)}`);
  const named = await browser.submit(entered, { name: "Nia New" });
  expect(locationOf(named)).toBe(path);
  const page = readPage(await (await browser.get(path)).text());
  expect(page.find("button", t("organizations:invitation.accept"))).toBeDefined();
  const accepted = await answer(browser, path);

  expect(locationOf(accepted)).toBe(`/app/organizations/${organization.slug}`);
  const overview = readText(await (await browser.follow(accepted)).text());
  expect(overview).toContain(t("organizations:toast.joined"));
  expect(overview).toContain("Nia New");
  const user = await gatehouse.d1
    .prepare(
      "SELECT user.id, last_organization_id, active_organization_id FROM user JOIN session ON user_id = user.id WHERE email = ?",
    )
    .bind(email)
    .first<Record<string, string>>();
  expect(user).toMatchObject({
    last_organization_id: organization.id,
    active_organization_id: organization.id,
  });
  expect(await membershipOf(organization.id, user?.id ?? "")).toEqual([{ role: "admin" }]);
  expect(await auditOf(gatehouse, organization.id)).toEqual([
    {
      action: "member.joined",
      actorId: user?.id,
      details: { member: user?.id, invitation: id, ids: { member: expect.any(String) } },
    },
  ]);
});

test("a waiting invitation is on top of the user's organizations, until it is answered", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, path } = await anOffer(user.email);
  const list = async () =>
    readPage(await (await browser.get("/app/organizations")).text()).find(
      "region",
      t("organizations:waiting.title"),
    );

  expect((await list())?.textContent).toContain(organization.name);
  const declined = await answer(browser, path, "decline");

  expect(locationOf(declined)).toBe("/app/organizations");
  expect(await list()).toBeUndefined();
  expect(await membershipOf(organization.id, user.id)).toEqual([]);
  expect(await headingOn(browser, path)).toBe(t("organizations:invitation.used.title"));
});

test("an invitation for another e-mail tells nothing, and offers to switch", async () => {
  const invited = newEmail("invited-secretly");
  const { organization, owner, path } = await anOffer(invited);
  const { user, browser } = await aSignedInUser(gatehouse);
  const switching = { redirect: path };
  const secrets = [invited, "invited-secretly", organization.name, organization.slug, owner.name];

  for (const url of [path, `${path}.data`, `${path}?email=${invited}`]) {
    const response = await browser.get(url);
    expect(response.status).toBe(200);
    const body = await response.text();
    expect(body).toContain(user.email);
    for (const secret of url.includes("?") ? secrets.slice(2) : secrets) {
      expect(body).not.toContain(secret);
    }
  }
  const page = readPage(await (await browser.get(path)).text());
  expect(page.text()).toContain(t("organizations:invitation.foreign.title"));
  const form = page.find("button", t("common:actions.switchAccount"))?.closest("form");
  expect(form?.getAttribute("action")).toBe(`/sign-out?${new URLSearchParams(switching)}`);

  for (const intent of ["accept", "decline"]) {
    const refused = await browser.follow(answer(browser, path, intent));
    const body = await refused.text();
    expect(readText(body)).toContain(t("codes:YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION"));
    for (const secret of secrets) expect(body).not.toContain(secret);
  }
  const out = await browser.submit(form?.getAttribute("action") ?? "", {});
  expect(locationOf(out)).toBe(`/login?${new URLSearchParams(switching)}`);
  const open = await (await browser.get(path)).text();
  expect(readPage(open).linkTo(t("organizations:invitation.signIn"))).toBeDefined();
});

test("an open invitation says who accepts it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { path } = await anOffer(user.email);

  const page = readText(await (await browser.get(path)).text());

  expect(page).toMatch(new RegExp(`You are signed in as ${user.email}.*Accept.*Decline`));
});

const SECOND = Date.now() - 1_000;
test.each([
  ["expired", { expires_at: SECOND }, {}, "INVITATION_EXPIRED"],
  ["cancelled", { status: "canceled", answered_at: SECOND }, {}, "INVITATION_NOT_FOUND"],
  ["used", { status: "accepted", answered_at: SECOND }, {}, "INVITATION_NOT_FOUND"],
  ["used", { status: "rejected", answered_at: SECOND }, {}, "INVITATION_NOT_FOUND"],
  ["invalid", {}, { disabled_at: SECOND, disabled_reason: "Spam" }, "ORGANIZATION_DISABLED"],
  ["invalid", {}, { deletion_due_at: SECOND + HOUR_MS }, "ORGANIZATION_DISABLED"],
] as const)(
  "an invitation that is %s says so and cannot be accepted",
  async (state, row, of, code) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const { organization, path } = await anOffer(user.email, row, of);
    const title = t(`organizations:invitation.${state}.title`, { organization: organization.name });

    expect(await headingOn(browser, path)).toBe(title);
    expect(await headingOn(newBrowser(gatehouse), path)).toBe(title);
    const refused = await answer(browser, path);

    expect(locationOf(refused)).toBe(path);
    const page = await (await browser.follow(refused)).text();
    expect(readText(page)).toContain(t(`codes:${code}`));
    expect(await membershipOf(organization.id, user.id)).toEqual([]);
  },
);

test("an invitation counts no longer when its inviter may not invite any more", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, path, ownership } = await anOffer(user.email);
  const successor = await aUser(gatehouse);
  await gatehouse.d1.batch([
    gatehouse.d1
      .prepare(
        "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'owner', 1)",
      )
      .bind(crypto.randomUUID(), organization.id, successor.id),
    gatehouse.d1.prepare("DELETE FROM member WHERE id = ?").bind(ownership?.id),
  ]);

  expect(await headingOn(browser, path)).toBe(t("organizations:invitation.invalid.title"));
  const page = await (await browser.follow(answer(browser, path))).text();
  expect(readText(page)).toContain(t("codes:INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION"));
  expect(await membershipOf(organization.id, user.id)).toEqual([]);
});

test("an accepted invitation leads its member to the organization, and others not", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, path } = await anOffer(user.email);
  await answer(browser, path);

  const own = readPage(await (await browser.get(path)).text());
  const name = t("organizations:invitation.used.open", { organization: organization.name });
  expect(own.linkTo(name)).toBe(`/app/organizations/${organization.slug}`);
  const others = await (await newBrowser(gatehouse).get(path)).text();
  expect(others).not.toContain(organization.slug);
});

test("an anonymous visitor answers after a sign-in, a newcomer after the name", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });
  const { path } = await anOffer(user.email);
  const back = encodeURIComponent(path);

  expect(locationOf(await answer(newBrowser(gatehouse), path))).toBe(`/login?redirect=${back}`);
  expect(locationOf(await browser.get(path))).toBe(`/onboarding?redirect=${back}`);
  expect(locationOf(await answer(browser, path))).toBe(`/onboarding?redirect=${back}`);
});

test("a user in the grace period cannot accept", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, {
    deletion_due_at: Date.now() + 24 * HOUR_MS,
  });
  const { organization, path } = await anOffer(user.email);

  expect(locationOf(await answer(browser, path))).toMatch(/^\/restore/);
  expect(await membershipOf(organization.id, user.id)).toEqual([]);
});

test("an unknown invitation is not found, and a bad answer changes nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization, path } = await anOffer(user.email);

  for (const id of ["x", "%00", "a".repeat(2_000)]) {
    expect((await browser.get(`/invitations/${id}`)).status).toBe(404);
    expect((await newBrowser(gatehouse).get(`/invitations/${id}`)).status).toBe(404);
  }
  for (const fields of ["", "intent=maybe", "intent="]) {
    const response = await browser.submit(path, new URLSearchParams(fields));
    expect(response.status).toBe(400);
    const text = readText(await response.text());
    expect(text).toContain(t("validation:form.incomplete"));
  }
  expect(await membershipOf(organization.id, user.id)).toEqual([]);
});

test("only invitations of open organizations wait for an answer", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const waiting = async () => {
    const page = readPage(await (await browser.get("/app/organizations")).text());
    return page.findAll("link").flatMap((link) => {
      const path = link.getAttribute("href") ?? "";
      return path.startsWith("/invitations/") ? [path] : [];
    });
  };
  const { organization, ownerId } = await anOrganization(gatehouse);
  const own = { organization_id: organization.id, inviter_id: ownerId };
  const { id } = await anInvitation(gatehouse, { ...own, email: user.email });
  const change = (columns: string) =>
    gatehouse.d1
      .prepare(`UPDATE organization SET ${columns} WHERE id = ?`)
      .bind(organization.id)
      .run();

  expect(await waiting()).toEqual([`/invitations/${id}`]);
  await change("disabled_at = 1");
  expect(await waiting()).toEqual([]);
  await change("disabled_at = NULL, deletion_due_at = 9e12");
  expect(await waiting()).toEqual([]);
  await change("deletion_due_at = NULL");
  expect(await waiting()).toEqual([`/invitations/${id}`]);
});
