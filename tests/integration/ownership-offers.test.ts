import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { alertsOf, type Browser, locationOf, readText, toastOf, undo } from "../support/client.ts";
import {
  aMember,
  anInvitation,
  anOrganization,
  type InvitationRow,
} from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser, newEmail, type Person } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

// Nobody becomes an owner of an organization without accepting: an owner may not leave it with
// other members, nor delete their account.

const DAY_MS = 86_400_000;
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;
const t = translationsIn("en");

/** Makes an organization with an owner, an admin and a member, each with a browser. */
async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner", email: newEmail("olga") });
  const admin = await aSignedInUser(gatehouse, { name: "Adam Admin", email: newEmail("adam") });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member", email: newEmail("mia") });
  const { organization, members } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, admins: [admin.user], members: [member.user] },
  );
  const idOf = ({ id }: Pick<Person, "id">) =>
    members.find(({ user_id }) => user_id === id)?.id ?? "";
  return {
    owner,
    admin,
    member,
    organization,
    idOf,
    path: `/app/organizations/${organization.slug}`,
  };
}

type Company = Awaited<ReturnType<typeof aCompany>>;

async function rolesOf({ organization, owner, admin, member }: Company) {
  const { results } = await d1
    .prepare("SELECT user_id, role FROM member WHERE organization_id = ?")
    .bind(organization.id)
    .all<{ user_id: string; role: string }>();
  const roles = new Map(results.map(({ user_id, role }) => [user_id, role]));
  return [owner, admin, member].map(({ user }) => roles.get(user.id) ?? "none");
}

function offersOf({ organization }: Company) {
  return d1
    .prepare("SELECT * FROM invitation WHERE organization_id = ? AND member_id IS NOT NULL")
    .bind(organization.id)
    .all<InvitationRow & { hands_over: number }>()
    .then(({ results }) => results);
}

/** Offers ownership to a person of the company, and returns the page of the offer. */
async function offer(
  company: Company,
  to: "admin" | "member" = "member",
  intent: "set-role" | "transfer" = "set-role",
): Promise<string> {
  const fields = { intent, member: company.idOf(company[to].user), role: "owner" };
  const answer = await company.owner.browser.submit(`${company.path}/members`, fields);
  expect(locationOf(answer)).toBe(`${company.path}/members`);
  const email = company[to].user.email;
  const made = (await offersOf(company)).find(
    (row) => row.email === email && row.status === "pending",
  );
  return `/invitations/${made?.id}`;
}

function accept({ browser }: { browser: Browser }, page: string) {
  return browser.submit(page, { intent: "accept" });
}

test.each([
  ["set-role", "member.role_changed", ["owner", "admin", "owner"]],
  ["transfer", "member.ownership_transferred", ["admin", "admin", "owner"]],
] as const)(
  "%s asks the member, by mail and on their screens, and the role changes once they accept",
  async (intent, action, roles) => {
    const company = await aCompany();
    const { owner, member, organization, path } = company;
    const fields = { intent, member: company.idOf(member.user), role: "owner" };

    const answer = await owner.browser.submit(`${path}/members`, fields);

    expect(await toastOf(owner.browser, answer)).toBe(t("organizations:toast.offered"));
    expect(await rolesOf(company)).toEqual(["owner", "admin", "member"]);
    const [row] = await offersOf(company);
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(7 * DAY_MS);
    const page = `/invitations/${row?.id}`;
    expect(await gatehouse.mailbox.linkFor(member.user.email)).toContain(page);
    for (const screen of ["/app", path]) {
      const shown = readPage(await (await member.browser.get(screen)).text());
      expect([screen, shown.linkTo(t("app:home.waiting.viewOffer"))]).toEqual([screen, page]);
    }
    const others = readPage(await (await company.admin.browser.get(path)).text());
    expect(others.linkTo(t("app:home.waiting.viewOffer"))).toBeUndefined();
    const shown = readText(await (await member.browser.get(page)).text());
    expect(shown).toContain(t("organizations:offer.text"));
    expect(shown.includes("becomes an admin once you accept")).toBe(intent === "transfer");
    expect(shown.includes("stays an owner")).toBe(intent !== "transfer");

    const accepted = await accept(member, page);

    expect(await toastOf(member.browser, accepted)).toBe(t("organizations:toast.offerAccepted"));
    expect(await rolesOf(company)).toEqual(roles);
    const events = await auditOf(gatehouse, organization.id);
    expect(events.map((event) => [event.action, event.actorId])).toEqual([
      ["invitation.sent", owner.user.id],
      [action, member.user.id],
    ]);
    expect(events[1]?.details).toEqual({
      member: member.user.id,
      invitation: row?.id,
      ids: { member: company.idOf(member.user) },
      before: { role: "member" },
      after: { role: "owner" },
    });
    // Once.
    await accept(member, page);
    expect(await auditOf(gatehouse, organization.id)).toHaveLength(2);
  },
);

test("an offer is declined, is cancelled by an owner, and ends after seven days; then the role stays", async () => {
  const company = await aCompany();
  const { owner, admin, member, path } = company;
  const page = await offer(company);
  await member.browser.submit(page, { intent: "decline" });
  await accept(member, page);

  const other = await offer(company, "admin");
  // An admin neither sees nor cancels an owner's offer, not even to themselves.
  const cancel = { intent: "cancel", invitation: other.replace("/invitations/", "") };
  await admin.browser.submit(`${path}/invitations`, cancel);
  expect((await offersOf(company)).map(({ status }) => status).sort()).toEqual([
    "pending",
    "rejected",
  ]);
  await owner.browser.submit(`${path}/invitations`, cancel);
  await accept(admin, other);

  const late = await offer(company, "admin");
  await d1
    .prepare("UPDATE invitation SET expires_at = ? WHERE status = 'pending'")
    .bind(Date.now() - 1)
    .run();
  await accept(admin, late);
  const shown = readText(await (await admin.browser.get(late)).text());
  expect(shown).toContain("This offer of ownership of");
  expect(await rolesOf(company)).toEqual(["owner", "admin", "member"]);
});

test("a member is asked once at a time, and the screen says where the offer is", async () => {
  const company = await aCompany();
  await offer(company);
  const fields = { intent: "transfer", member: company.idOf(company.member.user) };

  const again = await company.owner.browser.submit(`${company.path}/members`, fields);

  expect([again.status, ...alertsOf(await again.text())]).toEqual([
    409,
    t("organizations:offer.alreadyAsked"),
  ]);
});

test("the only owner cannot leave by an offer that is not accepted, and the member deletes their account", async () => {
  const company = await aCompany();
  const { owner, member, path } = company;
  await offer(company, "member", "transfer");

  const left = await owner.browser.submit(`${path}/settings`, { intent: "leave" });

  expect(left.status).toBe(409);
  expect(await rolesOf(company)).toEqual(["owner", "admin", "member"]);
  const rule = "SELECT rule FROM account_deletion_rule WHERE user_id = ?";
  expect(await d1.prepare(rule).bind(member.user.id).first("rule")).toBeNull();
});

test("an offer ends with the membership, also when the member comes back", async () => {
  const company = await aCompany();
  const { owner, member, organization, path, idOf } = company;
  const page = await offer(company);
  const removed = await owner.browser.submit(`${path}/members`, {
    intent: "remove",
    member: idOf(member.user),
  });
  expect(await offersOf(company)).toEqual([]);
  expect((await accept(member, page)).status).toBe(302);

  await undo(owner.browser, removed);
  await accept(member, page);

  expect(await rolesOf(company)).toEqual(["owner", "admin", "member"]);
  // Nor does the offer of a member serve a newcomer.
  const newcomer = await aSignedInUser(gatehouse);
  await accept(newcomer, await offer(company));
  const ofNewcomer = "SELECT count(*) AS n FROM member WHERE organization_id = ? AND user_id = ?";
  expect(await d1.prepare(ofNewcomer).bind(organization.id, newcomer.user.id).first("n")).toBe(0);
});

test("Undo brings a removed owner back as an admin, and asks them again", async () => {
  const company = await aCompany();
  const { owner, admin, path, idOf } = company;
  await accept(admin, await offer(company, "admin"));
  const fields = { intent: "remove", member: idOf(admin.user) };
  const removed = await owner.browser.submit(`${path}/members`, fields);

  const undone = await undo(owner.browser, removed);

  expect(await toastOf(owner.browser, undone)).toBe(t("organizations:toast.ownerRestored"));
  expect(await rolesOf(company)).toEqual(["owner", "admin", "member"]);
  expect((await offersOf(company)).map(({ email, status }) => [email, status])).toEqual([
    [admin.user.email, "pending"],
  ]);
});

test("an offer counts only while its owner is one, and another owner does not step down by sending it again", async () => {
  const company = await aCompany();
  const { owner, admin, member, path, idOf } = company;
  const page = await offer(company, "member", "transfer");
  await d1.batch([
    d1.prepare("UPDATE member SET role = 'owner' WHERE id = ?").bind(idOf(admin.user)),
    d1.prepare("UPDATE member SET role = 'admin' WHERE id = ?").bind(idOf(owner.user)),
    d1.prepare("UPDATE invitation SET sent_at = 1 WHERE status = 'pending'"),
  ]);

  await accept(member, page);
  const again = { intent: "resend", invitation: page.replace("/invitations/", "") };
  const refused = await admin.browser.submit(`${path}/invitations`, again);

  expect(refused.status).toBe(403);
  await accept(member, page);
  expect(await rolesOf(company)).toEqual(["admin", "owner", "member"]);
});

test("a stale session neither invites above member nor sends such an invitation again", async () => {
  const company = await aCompany();
  const { owner, admin, organization, path } = company;
  const from = { organization_id: organization.id, inviter_id: owner.user.id, sent_at: 1 };
  const open = await anInvitation(gatehouse, { ...from, role: "admin" });
  const plain = await anInvitation(gatehouse, from);
  await d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - DAY_MS, owner.user.id)
    .run();
  const sent = () =>
    d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
      .bind(open.email)
      .first("n");

  const fields = { intent: "resend", invitation: open.id };
  const refused = await owner.browser.submit(`${path}/invitations`, fields);
  expect(locationOf(refused)).toBe(
    `/app/account/confirm?next=${encodeURIComponent(`${path}/invitations`)}`,
  );
  expect(await sent()).toBe(0);
  const harmless = await owner.browser.submit(`${path}/invitations`, {
    intent: "resend",
    invitation: plain.id,
  });
  expect(locationOf(harmless)).toBe(`${path}/invitations`);
  // Whose proof is fresh takes no further step.
  await admin.browser.submit(`${path}/invitations`, fields);
  expect(await sent()).toBe(1);
});

/** Answers of one moment, and what may never come of them. */
async function race(happens: (company: Company, page: string) => Promise<Response>[]) {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const company = await aCompany();
    const page = await offer(company, "member", "transfer");
    const answers = await Promise.all(happens(company, page));
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500);
      await answer.arrayBuffer();
    }
    const roles = await rolesOf(company);
    expect(roles).toContain("owner");
    const [row] = await offersOf(company);
    // The role has changed exactly when the offer was accepted.
    expect([roles[2] === "owner", roles]).toEqual([row?.status === "accepted", roles]);
  }
}

test("an offer that is accepted ten times and cancelled at once has one outcome", () =>
  race((company, page) => {
    const cancel = { intent: "cancel", invitation: page.replace("/invitations/", "") };
    return [
      ...Array.from({ length: 10 }, () => accept(company.member, page)),
      company.owner.browser.submit(`${company.path}/invitations`, cancel),
    ];
  }));

test("a member who accepts while they are removed is an owner, or gone", () =>
  race((company, page) => [
    accept(company.member, page),
    company.admin.browser.submit(`${company.path}/members`, {
      intent: "remove",
      member: company.idOf(company.member.user),
    }),
  ]));

test("an owner who leaves while the member accepts leaves an owner behind", () =>
  race((company, page) => [
    accept(company.member, page),
    company.owner.browser.submit(`${company.path}/settings`, { intent: "leave" }),
    company.member.browser.submit(`${company.path}/settings`, { intent: "leave" }),
  ]));

test("of two members who accept the owner's place at once, one takes it", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const company = await aCompany();
    const pages = [
      await offer(company, "admin", "transfer"),
      await offer(company, "member", "transfer"),
    ];

    await Promise.all([
      accept(company.admin, pages[0] ?? ""),
      accept(company.member, pages[1] ?? ""),
    ]);

    const roles = await rolesOf(company);
    expect(roles.filter((role) => role === "owner")).toHaveLength(1);
    expect(roles[0]).toBe("admin");
  }
});

test("a manager makes an owner at once, so that an organization without one can be repaired", async () => {
  const company = await aCompany();
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { organization, owner, member, idOf } = company;
  await aMember(gatehouse, {
    organization_id: organization.id,
    role: "owner",
    user_id: (await aSignedInUser(gatehouse)).user.id,
  });
  await d1.prepare("DELETE FROM member WHERE user_id = ?").bind(owner.user.id).run();

  await browser.submit(`/manager/organizations/${organization.id}`, {
    intent: "set-role",
    member: idOf(member.user),
    newRole: "owner",
  });

  expect(await rolesOf(company)).toEqual(["none", "admin", "owner"]);
});
