import { afterAll, beforeEach, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { auditOf } from "../support/audit.ts";
import { type Browser, locationOf, newBrowser, readText, toastOf } from "../support/client.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, enterCode, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const { browser: manager, user: siteAdmin } = await anAdmin(gatehouse);

beforeEach(async () => {
  await d1.exec("DELETE FROM rate_limit; DELETE FROM sign_in_code; DELETE FROM code_event;");
});

async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const admin = await aSignedInUser(gatehouse, { name: "Adam Admin" });
  const member = await aSignedInUser(gatehouse);
  const made = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, admins: [admin.user], members: [member.user] },
  );
  return {
    ...made,
    owner,
    admin,
    member,
    list: `/app/organizations/${made.organization.slug}/invitations`,
  };
}

type Company = Awaited<ReturnType<typeof aCompany>>;

/** Makes a link as the owner does, and returns its path as the page shows it. */
async function aLink({ owner, list }: Pick<Company, "owner" | "list">, uses = 5, days = "7") {
  const made = await owner.browser.submit(list, {
    intent: "create-link",
    uses: String(uses),
    days,
  });
  expect(locationOf(made)).toBe(list);
  return pathIn(await (await owner.browser.get(list)).text());
}

function pathIn(page: string): string {
  const found = /\/invitations\/links\/[\w.-]+/.exec(page);
  if (!found) throw new Error("The page shows no link");
  return found[0];
}

const join = (browser: Browser, path: string) => browser.submit(path, { intent: "join" });

async function membersOf(id: string): Promise<number> {
  const row = d1.prepare("SELECT count(*) AS n FROM member WHERE organization_id = ?").bind(id);
  return (await row.first<number>("n")) ?? 0;
}

async function shown(browser: Browser, path: string): Promise<string> {
  return readText(await (await browser.get(path)).text()).replace(/[\u2066-\u2069]/g, "");
}

test("an owner makes a link, a person joins by it as a member, and both are on record", async () => {
  const company = await aCompany();
  const path = await aLink(company);
  const person = await aSignedInUser(gatehouse);

  expect(await shown(person.browser, path)).toContain("Olga Owner has made this link");
  const joined = await join(person.browser, path);

  expect(await toastOf(person.browser, joined)).toBe(t("organizations:toast.joined"));
  const row = await d1
    .prepare("SELECT role FROM member WHERE user_id = ? AND organization_id = ?")
    .bind(person.user.id, company.organization.id)
    .first("role");
  expect(row).toBe("member");
  expect(await shown(company.owner.browser, company.list)).toContain("4 of 5 places left");
  expect((await auditOf(gatehouse, company.organization.id)).map(({ action }) => action)).toEqual([
    "invitation.link_created",
    "member.joined",
  ]);
  // A second press changes nothing.
  expect(await shown(person.browser, path)).toContain("You are already a member of");
  await join(person.browser, path);
  expect(await shown(company.owner.browser, company.list)).toContain("4 of 5 places left");
});

test("20 people at once on a link with 5 places are exactly 5 new members", async () => {
  const company = await aCompany();
  const path = await aLink(company, 5);
  const people = await Promise.all(Array.from({ length: 20 }, () => aSignedInUser(gatehouse)));

  const answers = await Promise.all(people.map(({ browser }) => join(browser, path)));

  expect(answers.every(({ status }) => status === 302)).toBe(true);
  expect(await membersOf(company.organization.id)).toBe(3 + 5);
  const [link] = (await d1.prepare("SELECT uses, max_uses FROM invitation_link").all()).results;
  expect(await shown(people[0]?.browser ?? newBrowser(gatehouse), path)).toMatch(
    /used up|already a member/,
  );
  expect(link).toBeDefined();
});

test("a link opens for those whom it is shown to alone: a changed or foreign token is none", async () => {
  const company = await aCompany();
  const path = await aLink(company);
  const person = await aSignedInUser(gatehouse);
  const id = path.split("/").at(-1)?.split(".")[0] ?? "";

  for (const wrong of [id, `${id}.`, `${id}.AAAA`, path.slice(0, -4), "nothing", `${path}A`]) {
    const at = wrong.startsWith("/") ? wrong : `/invitations/links/${wrong}`;
    expect(await shown(person.browser, at)).toContain("This link no longer works");
    await join(person.browser, at);
  }
  expect(await membersOf(company.organization.id)).toBe(3);
  // The database has nothing that opens it.
  const rows = await d1.prepare("SELECT * FROM invitation_link").all();
  expect(JSON.stringify(rows.results)).not.toContain(path.split(".").at(-1));
});

test.each<[string, (company: Company) => Promise<unknown>]>([
  [
    "expires",
    ({ organization: { id } }) =>
      d1
        .prepare(
          "UPDATE invitation_link SET created_at = created_at - ?1, expires_at = expires_at - ?1 WHERE organization_id = ?2",
        )
        .bind(8 * DAY_MS, id)
        .run(),
  ],
  [
    "is revoked",
    async ({ owner, list, organization: { id } }) => {
      const link = await d1
        .prepare("SELECT id FROM invitation_link WHERE organization_id = ?")
        .bind(id)
        .first<string>("id");
      const ended = await owner.browser.submit(list, { intent: "revoke-link", link: link ?? "" });
      expect(locationOf(ended)).toBe(list);
    },
  ],
  [
    "loses its maker to a ban",
    ({ owner }) =>
      manager.submit(`/manager/users/${owner.user.id}`, { intent: "ban", duration: "forever" }),
  ],
  [
    "is of a disabled organization",
    ({ organization: { id } }) =>
      d1.prepare("UPDATE organization SET disabled_at = 1 WHERE id = ?").bind(id).run(),
  ],
  [
    "is of an organization that is being deleted",
    ({ organization: { id } }) =>
      d1.prepare("UPDATE organization SET deletion_due_at = 9e12 WHERE id = ?").bind(id).run(),
  ],
])("a link leads nowhere once it %s", async (_, end) => {
  const company = await aCompany();
  const path = await aLink(company);
  await end(company);
  const person = await aSignedInUser(gatehouse);

  expect(await shown(person.browser, path)).toContain("This link no longer works");
  await join(person.browser, path);
  expect(await membersOf(company.organization.id)).toBe(3);
});

test("a link ends with its maker's right to invite, and does not come back with it", async () => {
  const company = await aCompany();
  const path = await aLink({ owner: company.admin, list: company.list });
  const person = await aSignedInUser(gatehouse);
  const setRole = (role: string) =>
    company.owner.browser.submit(`/app/organizations/${company.organization.slug}/members`, {
      intent: "set-role",
      member: company.members[1]?.id ?? "",
      role,
    });

  await setRole("member");
  await setRole("admin");

  expect(await shown(person.browser, path)).toContain("This link no longer works");
});

test("a member who was removed or has left does not come back by a link that was there", async () => {
  const company = await aCompany();
  const path = await aLink(company);
  const leaving = await aSignedInUser(gatehouse);
  await join(leaving.browser, path);
  const slug = company.organization.slug;

  await company.owner.browser.submit(`/app/organizations/${slug}/members`, {
    intent: "remove",
    member: company.members[2]?.id ?? "",
  });
  await leaving.browser.submit(`/app/organizations/${slug}/settings`, { intent: "leave" });

  for (const { browser } of [company.member, leaving]) {
    expect(await shown(browser, path)).toContain("You have used this link before");
    await join(browser, path);
  }
  expect(await membersOf(company.organization.id)).toBe(2);
});

test("a link has one to 100 places and ends within 30 days, and an organization has five", async () => {
  const company = await aCompany();
  const make = (uses: string, days = "7") =>
    company.owner.browser.submit(company.list, { intent: "create-link", uses, days });
  for (const [uses, days] of [
    ["0", "7"],
    ["101", "7"],
    ["x", "7"],
    ["5", "31"],
  ] as const) {
    expect([uses, days, (await make(uses, days)).status]).toEqual([uses, days, 400]);
  }
  for (let made = 0; made < 5; made += 1) expect((await make("100", "30")).status).toBe(302);
  const sixth = await make("1");
  expect(sixth.status).toBe(409);
  expect(readText(await sixth.text())).toContain(t("codes:INVITATION_LINK_LIMIT_REACHED"));

  // An ended link does not count.
  await d1
    .prepare(
      "UPDATE invitation_link SET uses = max_uses WHERE rowid = (SELECT max(rowid) FROM invitation_link)",
    )
    .run();
  expect((await make("1")).status).toBe(302);
});

test("members make no links and see none, and a link needs a fresh proof", async () => {
  const company = await aCompany();
  await aLink(company);
  const form = { intent: "create-link", uses: "5", days: "7" };

  expect((await company.member.browser.get(company.list)).status).toBe(403);
  expect((await company.member.browser.submit(company.list, form)).status).toBe(403);
  await d1
    .prepare(
      "UPDATE session SET created_at = created_at - ?1, authenticated_at = NULL WHERE user_id = ?2",
    )
    .bind(3_600_000, company.owner.user.id)
    .run();
  const stale = await company.owner.browser.submit(company.list, form);
  expect(locationOf(stale)).toMatch(/^\/app\/account\/confirm\?next=/);
});

/**
 * Signs up by a link with a new e-mail. Returns where the sign-in leads; undefined without a code.
 */
async function signUpBy(path: string, email = newEmail("newcomer")) {
  const browser = newBrowser(gatehouse);
  const search = new URLSearchParams({ redirect: path });
  await browser.submit(`/login?${search}`, { intent: "email", email });
  const sent = await d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<number>("n");
  if (!sent) return { browser, email, to: undefined };
  const code = await gatehouse.mailbox.codeFor(email);
  const verify = new URLSearchParams({ redirect: path, email });
  const entered = await browser.submit(`/login/verify?${verify}`, { intent: "verify", code });
  return { browser, email, to: locationOf(entered), status: entered.status };
}

test("in mode by invitation a link opens accounts only where organizations' invitations do, and both sides are told", async () => {
  const company = await aCompany();
  const path = await aLink(company, 2);
  const stranger = newBrowser(gatehouse);

  await saveAccess(gatehouse, manager, { signUpMode: "invitation" });
  expect(await shown(stranger, path)).toContain("This site opens no new accounts by this link");
  expect(await shown(company.owner.browser, company.list)).toContain(
    t("organizations:links.needsAccount"),
  );
  expect((await signUpBy(path)).to).toBeUndefined();
  // Not even a link that an admin of the site has made.
  const own = await anOrganization(gatehouse, {}, { owner: siteAdmin });
  const list = `/app/organizations/${own.organization.slug}/invitations`;
  const siteLink = await aLink({ owner: { browser: manager, user: siteAdmin }, list } as Company);
  expect((await signUpBy(siteLink)).to).toBeUndefined();

  await saveAccess(gatehouse, manager, { signUpMode: "invitation", organizationsAdmit: "yes" });
  expect(await shown(stranger, path)).not.toContain("opens no new accounts");
  expect((await signUpBy("/app")).to).toBeUndefined();
  const first = await signUpBy(path);
  expect(first.to).toContain("/onboarding");

  // Each account that the link lets in takes a place, before the person has joined.
  expect(await shown(company.owner.browser, company.list)).toContain("1 of 2 places left");
  await signUpBy(path);
  expect((await signUpBy(path)).to).toBeUndefined();
  const late = await aSignedInUser(gatehouse);
  expect(await shown(late.browser, path)).toContain("is used up");

  // Their place is kept.
  await first.browser.submit("/onboarding", { name: "Nia" });
  expect(locationOf(await join(first.browser, path))).toBe(
    `/app/organizations/${company.organization.slug}`,
  );
  await saveAccess(gatehouse, manager, { signUpMode: "open" });
});

test("of 8 people who sign up at once by a link with 3 places 3 get an account", async () => {
  const company = await aCompany();
  const path = await aLink(company, 3);
  await saveAccess(gatehouse, manager, { signUpMode: "invitation", organizationsAdmit: "yes" });
  const people = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const email = newEmail("crowd");
      const browser = newBrowser(gatehouse);
      const search = new URLSearchParams({ redirect: path });
      await browser.submit(`/login?${search}`, { intent: "email", email });
      return { email, browser, code: await gatehouse.mailbox.codeFor(email) };
    }),
  );

  const entered = await Promise.all(
    people.map(({ email, browser, code }) => {
      const verify = new URLSearchParams({ redirect: path, email });
      return browser.submit(`/login/verify?${verify}`, { intent: "verify", code });
    }),
  );

  expect(entered.map(({ status }) => status).sort()).toEqual([
    302, 302, 302, 400, 400, 400, 400, 400,
  ]);
  const count = d1
    .prepare("SELECT count(*) AS n FROM user WHERE email LIKE 'crowd%'")
    .first<number>("n");
  expect(await count).toBe(3);
  await saveAccess(gatehouse, manager, { signUpMode: "open" });
});

test("the organization's name stays in view through the sign-in and the question for the name", async () => {
  const company = await aCompany();
  const path = await aLink(company);
  const email = newEmail("named");
  const invitation = await anInvitation(gatehouse, {
    organization_id: company.organization.id,
    inviter_id: company.owner.user.id,
    email,
  });
  const joining = `To join ${company.organization.name}`;

  for (const page of [path, `/invitations/${invitation.id}`]) {
    const search = new URLSearchParams({ redirect: page });
    expect(await shown(newBrowser(gatehouse), `/login?${search}`)).toContain(joining);
  }
  expect(await shown(newBrowser(gatehouse), "/login?redirect=/app")).not.toContain("To join");
  const browser = newBrowser(gatehouse);
  await askForCode(browser, email);
  const entered = await enterCode(browser, email, await gatehouse.mailbox.codeFor(email));
  expect(locationOf(entered)).toBe("/onboarding");
  const search = new URLSearchParams({ redirect: `/invitations/${invitation.id}` });
  expect(await shown(browser, `/onboarding?${search}`)).toContain(joining);
});

test("people who are invited are rows of the members' page, with their link, and a number on the tab", async () => {
  const company = await aCompany();
  const email = newEmail("waiting");
  const open = { organization_id: company.organization.id, inviter_id: company.owner.user.id };
  const invitation = await anInvitation(gatehouse, { ...open, email });
  await anInvitation(gatehouse, { ...open, role: "owner", email: newEmail("second-owner") });
  const members = `/app/organizations/${company.organization.slug}/members`;

  const html = await (await company.owner.browser.get(members)).text();
  expect(readPage(html).text()).toContain("2 pending invitations");
  expect(readPage(html).text()).toContain(email);
  expect(html).toContain(`/invitations/${invitation.id}?email=`);
  expect(readPage(html).linkTo("Invitations · 2 pending")).toBe(company.list);
  // Admins see no invitation of an owner, and members see none.
  expect(await shown(company.admin.browser, members)).toContain("1 pending invitation");
  expect(await shown(company.member.browser, members)).not.toContain("pending");

  const cancelled = await company.owner.browser.submit(company.list, {
    intent: "cancel",
    invitation: invitation.id,
    back: "members",
  });
  expect(locationOf(cancelled)).toBe(members);
});

test("all invitations that wait are sent again at once, with a reason for each that is not", async () => {
  const company = await aCompany();
  const long = { sent_at: Date.now() - 120_000 };
  const open = { organization_id: company.organization.id, inviter_id: company.owner.user.id };
  const [due, recent, expired] = [newEmail("due"), newEmail("recent"), newEmail("expired")];
  await anInvitation(gatehouse, { ...open, ...long, email: due });
  await anInvitation(gatehouse, { ...open, email: recent });
  await anInvitation(gatehouse, { ...open, ...long, email: expired, expires_at: Date.now() - 1 });

  const answer = await company.owner.browser.submit(company.list, { intent: "resend-all" });

  const text = readPage(await answer.text())
    .text()
    .replaceAll(" :", ":");
  expect(text).toContain("1 invitation sent again:");
  expect(text).toContain(`Not sent again: ${recent}: ${t("codes:TOO_MANY_REQUESTS")}`);
  expect((await gatehouse.mailbox.mailFor(due)).to).toBe(due);
});
