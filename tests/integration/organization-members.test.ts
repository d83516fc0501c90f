import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  alertsOf,
  type Browser,
  locationOf,
  readText,
  toastOf,
  undo,
  undoFormOf,
} from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { aMember, anOrganization, type MemberRow } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import { aSignedInUser, aUser, manyUsers, type Person } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

/** Makes an organization with an owner, an admin and a member, each with a browser. */
async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const admin = await aSignedInUser(gatehouse, { name: "Adam Admin" });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
  const { organization, members } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, admins: [admin.user], members: [member.user] },
  );
  const idOf = ({ id }: Pick<Person, "id">) =>
    members.find(({ user_id }) => user_id === id)?.id ?? "";
  const [path, list] = ["", "/members"].map(
    (part) => `/app/organizations/${organization.slug}${part}`,
  );
  return {
    owner,
    admin,
    member,
    organization,
    idOf,
    path: path ?? "",
    list: list ?? "",
  };
}

type Company = Awaited<ReturnType<typeof aCompany>>;

async function roleOf({ organization }: Company, { id }: Pick<Person, "id">) {
  return gatehouse.d1
    .prepare("SELECT role FROM member WHERE organization_id = ? AND user_id = ?")
    .bind(organization.id, id)
    .first<MemberRow["role"]>("role");
}

function change(company: Company, browser: Browser, fields: Record<string, string>) {
  return browser.submit(company.list, fields);
}

/** Returns the status of a refused change and its alert. */
async function refusalOf(response: Response) {
  return [response.status, ...alertsOf(await response.text())];
}

test("members are listed by name with role, and searched and filtered", async () => {
  const { member, list } = await aCompany();
  const names = async (search: string) =>
    readPage(await (await member.browser.get(list + search)).text())
      .rows()
      .map(([name, , role]) => [name?.replace(/^\S{1,2} (?=\S+ \S+)/, ""), role]);

  expect(await names("")).toEqual([
    ["Adam Admin", "Admin"],
    ["Mia Member You", "Member"],
    ["Olga Owner", "Owner"],
  ]);
  expect(await names("?searchTerm=MIA")).toEqual([["Mia Member You", "Member"]]);
  expect(await names(`?searchTerm=${member.user.email}`)).toHaveLength(1);
  expect(await names("?role=owner")).toEqual([["Olga Owner", "Owner"]]);
  expect(await names("?role=king")).toHaveLength(3);
});

test("the hundred members load page by page", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const members: Person[] = [];
  for (let count = 0; count < 30; count++) members.push(await aUser(gatehouse));
  const { organization } = await anOrganization(gatehouse, {}, { owner: user, members });

  const first = readPage(
    await (await browser.get(`/app/organizations/${organization.slug}/members`)).text(),
  );
  expect(first.rows()).toHaveLength(20);
  const more = first.linkTo(t("common:list.loadMore")) ?? "";
  expect(readPage(await (await browser.get(more)).text()).rows()).toHaveLength(31);
});

test("owners and admins see controls for others up to their role, members see none", async () => {
  const { owner, admin, member, list } = await aCompany();
  const groups = async ({ browser }: { browser: Browser }) => {
    const page = readPage(await (await browser.get(list)).text());
    return page
      .findAll("button")
      .map((button) => button.getAttribute("aria-label")?.replace(/[\u2066-\u2069]/g, ""))
      .filter((label) => label?.startsWith("Actions for"));
  };

  expect(await groups(owner)).toEqual(["Actions for Adam Admin", "Actions for Mia Member"]);
  expect(await groups(admin)).toEqual(["Actions for Mia Member"]);
  expect(await groups(member)).toEqual([]);
});

test("an owner changes a role, and the audit log has both roles", async () => {
  const company = await aCompany();
  const { owner, member, idOf, list, organization } = company;
  const fields = { intent: "set-role", member: idOf(member.user), role: "admin" };

  const response = await change(company, owner.browser, fields);

  expect(locationOf(response)).toBe(list);
  const page = await (await owner.browser.follow(response)).text();
  expect(readText(page)).toContain(t("organizations:toast.roleChanged"));
  expect(await roleOf(company, member.user)).toBe("admin");
  // The same role again changes nothing.
  expect((await change(company, owner.browser, fields)).status).toBe(302);
  expect(await auditOf(gatehouse, organization.id)).toEqual([
    {
      action: "member.role_changed",
      actorId: owner.user.id,
      details: {
        member: member.user.id,
        ids: { member: idOf(member.user) },
        before: { role: "member" },
        after: { role: "admin" },
      },
    },
  ]);
  const overview = await owner.browser.get(`/app/organizations/${organization.slug}`);
  const items = readPage(await overview.text()).findAll("listitem");
  const event = items.find((item) => textOf(item).startsWith("Role changed"));
  expect([...(event?.children[1]?.children ?? [])].map(textOf)).toEqual([
    ...["Role changed: Mia Member · Admin", "by Olga Owner"],
  ]);
});

test.each([
  ["admin", "set-role", "owner", { role: "member" }, 403, "UPDATE_THIS_MEMBER"],
  ["admin", "set-role", "member", { role: "owner" }, 403, "UPDATE_THIS_MEMBER"],
  ["admin", "remove", "owner", {}, 403, "DELETE_THIS_MEMBER"],
  ["admin", "transfer", "member", {}, 403, "UPDATE_THIS_MEMBER"],
  ["member", "set-role", "admin", { role: "member" }, 403, "UPDATE_THIS_MEMBER"],
  ["member", "set-role", "member", { role: "owner" }, 403, "UPDATE_THIS_MEMBER"],
  ["member", "remove", "admin", {}, 403, "DELETE_THIS_MEMBER"],
  ["member", "transfer", "member", {}, 403, "UPDATE_THIS_MEMBER"],
] as const)("as %s, %s of the %s is refused", async (by, intent, who, more, status, code) => {
  const company = await aCompany();
  const fields = { intent, member: company.idOf(company[who].user), ...more };

  const refused = await refusalOf(await change(company, company[by].browser, fields));

  expect(refused).toEqual([status, t(`codes:YOU_ARE_NOT_ALLOWED_TO_${code}`)]);
  for (const role of ["owner", "admin", "member"] as const) {
    expect(await roleOf(company, company[role].user)).toBe(role);
  }
  expect(await auditOf(gatehouse, company.organization.id)).toEqual([]);
});

test("an admin makes a member an admin and back, and removes them", async () => {
  const company = await aCompany();
  const { admin, member, idOf } = company;
  const who = { member: idOf(member.user) };

  for (const role of ["admin", "member"]) {
    await change(company, admin.browser, { intent: "set-role", ...who, role });
    expect(await roleOf(company, member.user)).toBe(role);
  }
  await change(company, admin.browser, { intent: "remove", ...who });
  expect(await roleOf(company, member.user)).toBeNull();
});

test("an owner gives up their own role when there is another owner", async () => {
  const company = await aCompany();
  const { owner, admin, idOf } = company;
  const [own, other] = [idOf(owner.user), idOf(admin.user)];
  const demote = { intent: "set-role", member: own, role: "member" };

  expect(await refusalOf(await change(company, owner.browser, demote))).toEqual([
    409,
    t("codes:YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER"),
  ]);
  await gatehouse.d1.prepare("UPDATE member SET role = 'owner' WHERE id = ?").bind(other).run();
  const response = await change(company, owner.browser, demote);

  expect(locationOf(response)).toBe(company.list);
  expect(await roleOf(company, owner.user)).toBe("member");
});

test("a removed member loses access and the active organization on the next request", async () => {
  const company = await aCompany();
  const { owner, member, idOf, organization, path } = company;
  await gatehouse.d1.batch([
    gatehouse.d1
      .prepare("UPDATE session SET active_organization_id = ? WHERE user_id = ?")
      .bind(organization.id, member.user.id),
    gatehouse.d1
      .prepare("UPDATE user SET last_organization_id = ? WHERE id = ?")
      .bind(organization.id, member.user.id),
  ]);
  const open = async () => [
    (await member.browser.get(path)).status,
    (await member.browser.get(`${path}.data`)).status,
    (await member.browser.get(`${path}/members.data`)).status,
  ];
  expect(await open()).toEqual([200, 200, 200]);

  await change(company, owner.browser, { intent: "remove", member: idOf(member.user) });

  expect(await open()).toEqual([404, 404, 404]);
  const left = await gatehouse.d1
    .prepare(
      `SELECT session.active_organization_id AS active, user.last_organization_id AS last
       FROM user JOIN session ON session.user_id = user.id WHERE user.id = ?`,
    )
    .bind(member.user.id)
    .all();
  expect(left.results).toEqual([{ active: null, last: null }]);
  const [event] = await auditOf(gatehouse, organization.id);
  expect(event).toMatchObject({ action: "member.removed", details: { member: member.user.id } });
});

/** Returns a user's membership in an organization. */
async function membershipOf({ organization }: Company, { id }: Pick<Person, "id">) {
  const { results } = await gatehouse.d1
    .prepare("SELECT * FROM member WHERE organization_id = ? AND user_id = ?")
    .bind(organization.id, id)
    .all();
  return results;
}

/** Removes the member of a company and returns the Undo form of the toast. */
async function removeAndOfferUndo(company: Company, browser = company.owner.browser) {
  const member = company.idOf(company.member.user);
  return undoFormOf(browser, await change(company, browser, { intent: "remove", member }));
}

test.each(["owner", "admin"] as const)(
  "as %s, Undo gives a removed member the role and the date of joining back",
  async (by) => {
    const company = await aCompany();
    const { member, idOf, organization } = company;
    const { browser, user } = company[by];
    const before = await membershipOf(company, member.user);
    const removed = await change(company, browser, {
      intent: "remove",
      member: idOf(member.user),
    });
    expect(await roleOf(company, member.user)).toBeNull();

    const undone = await undo(browser, removed);

    expect(await toastOf(browser, undone)).toBe(t("organizations:toast.memberRestored"));
    expect(await membershipOf(company, member.user)).toEqual(before);
    expect(before).toHaveLength(1);
    const [event] = (await auditOf(gatehouse, organization.id)).slice(-1);
    expect(event).toEqual({
      action: "member.added",
      actorId: user.id,
      details: { member: member.user.id, role: "member", ids: { member: idOf(member.user) } },
    });
  },
);

const CODES = {
  again: "codes:USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
  full: "codes:ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
  busy: "manager-organizations:refusal.tooManyOrganizations",
  disabled: "codes:ORGANIZATION_DISABLED",
  deleting: "codes:ORGANIZATION_BEING_DELETED",
  over: "organizations:toast.memberNotRestored",
} as const;

/** What happened between a removal and its Undo. */
const MEANWHILE: [string, keyof typeof CODES, (company: Company) => Promise<unknown>][] = [
  [
    "the member was added again",
    "again",
    ({ organization, member }) =>
      aMember(gatehouse, { organization_id: organization.id, user_id: member.user.id }),
  ],
  [
    "the organization became full",
    "full",
    async ({ organization }) => {
      for (const { id } of await manyUsers(gatehouse, Array(98).fill({}))) {
        await aMember(gatehouse, { organization_id: organization.id, user_id: id });
      }
    },
  ],
  [
    "the member joined ten others",
    "busy",
    async ({ member }) => {
      for (let count = 0; count < 10; count++) {
        await anOrganization(gatehouse, {}, { members: [member.user] });
      }
    },
  ],
  ["the organization was disabled", "disabled", (company) => setTime(company, "disabled_at")],
  ["its deletion began", "deleting", (company) => setTime(company, "deletion_due_at")],
  [
    "the account was deleted",
    "over",
    ({ member }) =>
      gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(member.user.id).run(),
  ],
  [
    "the member came back and left",
    "over",
    async ({ organization, member, path }) => {
      const mine = { organization_id: organization.id, user_id: member.user.id };
      await aMember(gatehouse, mine);
      await member.browser.submit(`${path}/settings`, { intent: "leave" });
    },
  ],
];

function setTime({ organization }: Company, column: string) {
  return gatehouse.d1
    .prepare(`UPDATE organization SET ${column} = ? WHERE id = ?`)
    .bind(Date.now() + 1_000_000, organization.id)
    .run();
}

test.each(MEANWHILE)("Undo says that %s", async (_, code, happens) => {
  const company = await aCompany();
  const { owner, member } = company;
  const { action, fields } = await removeAndOfferUndo(company);
  await happens(company);
  const before = await membershipOf(company, member.user);

  const refused = await owner.browser.submit(action, fields);

  expect(await toastOf(owner.browser, refused)).toBe(t(CODES[code]));
  expect(await membershipOf(company, member.user)).toEqual(before);
});

test("only the person who removed a member undoes it, within ten minutes, and only an owner brings an owner back", async () => {
  const company = await aCompany();
  const { owner, admin, member, organization, idOf } = company;
  const { action, fields } = await removeAndOfferUndo(company, admin.browser);
  const over = t(CODES.over);

  expect(await toastOf(owner.browser, await owner.browser.submit(action, fields))).toBe(over);
  const never = { ...fields, member: "never-was" };
  expect(await toastOf(admin.browser, await admin.browser.submit(action, never))).toBe(over);
  await member.browser.submit(action, fields);
  expect(await roleOf(company, member.user)).toBeNull();

  // The removal as it would be eleven minutes old, by the owner who is an admin by now.
  const keep = (id: string, role: string, until: number) => {
    const row = {
      id,
      role,
      organization_id: organization.id,
      user_id: member.user.id,
      created_at: 1,
      removed_by: owner.user.id,
    };
    return insertRows(gatehouse.d1, "bin", [
      { kind: "member", id, row: JSON.stringify(row), until },
    ]);
  };
  await keep("old", "member", Date.now() - 60_000);
  const old = { ...fields, member: "old" };
  expect(await toastOf(owner.browser, await owner.browser.submit(action, old))).toBe(over);

  const second = await aSignedInUser(gatehouse);
  await aMember(gatehouse, {
    organization_id: organization.id,
    user_id: second.user.id,
    role: "owner",
  });
  await keep("owner", "owner", Date.now() + 600_000);
  await change(company, second.browser, {
    intent: "set-role",
    member: idOf(owner.user),
    role: "admin",
  });
  const asAdmin = await owner.browser.submit(action, { ...fields, member: "owner" });
  expect(await toastOf(owner.browser, asAdmin)).toBe(over);
  expect(await roleOf(company, member.user)).toBeNull();
});

test("a member leaves, and the only owner cannot", async () => {
  const company = await aCompany();
  const { owner, member, path } = company;

  const left = await member.browser.submit(`${path}/settings`, { intent: "leave" });
  expect(locationOf(left)).toBe("/app/organizations");
  const list = await (await member.browser.follow(left)).text();
  expect(readText(list)).toContain(t("organizations:toast.left"));
  expect((await member.browser.get(path)).status).toBe(404);

  const refused = await owner.browser.submit(`${path}/settings`, { intent: "leave" });
  expect(await refusalOf(refused)).toEqual([
    409,
    t("codes:YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER"),
  ]);
  expect(await roleOf(company, owner.user)).toBe("owner");
});

test("ownership is left to another owner in one step, and the former owner is an admin", async () => {
  const company = await aCompany();
  const { owner, member, idOf, organization, path } = company;
  await gatehouse.d1
    .prepare("UPDATE member SET role = 'owner' WHERE id = ?")
    .bind(idOf(member.user))
    .run();

  await change(company, owner.browser, { intent: "transfer", member: idOf(member.user) });

  expect(await roleOf(company, member.user)).toBe("owner");
  expect(await roleOf(company, owner.user)).toBe("admin");
  const [event] = await auditOf(gatehouse, organization.id);
  expect(event?.action).toBe("member.ownership_transferred");
  const left = await owner.browser.submit(`${path}/settings`, { intent: "leave" });
  expect(locationOf(left)).toBe("/app/organizations");
});

test.each([
  ["is banned", { banned: 1 }],
  ["is deleting their account", { deletion_due_at: Date.now() + 86_400_000 }],
] as const)("ownership is not handed over to a member who %s", async (_, state) => {
  const company = await aCompany();
  const { owner, organization } = company;
  const heir = await aUser(gatehouse, state);
  const { id } = await aMember(gatehouse, { organization_id: organization.id, user_id: heir.id });

  const refused = await change(company, owner.browser, { intent: "transfer", member: id });

  expect(await refusalOf(refused)).toEqual([409, t("codes:MEMBER_CANNOT_OWN")]);
  expect(await roleOf(company, owner.user)).toBe("owner");
  expect(await auditOf(gatehouse, organization.id)).toEqual([]);
});

test("handing the ownership over to oneself changes nothing and leaves no record", async () => {
  const company = await aCompany();
  const { owner, idOf, organization } = company;

  await change(company, owner.browser, { intent: "transfer", member: idOf(owner.user) });

  expect(await roleOf(company, owner.user)).toBe("owner");
  expect(await auditOf(gatehouse, organization.id)).toEqual([]);
});

test.each([
  [{}, 400, "validation:form.incomplete"],
  [{ intent: "crown", member: "MEMBER" }, 400, "validation:form.incomplete"],
  [{ intent: "set-role", member: "MEMBER", role: "king" }, 400, "codes:ROLE_NOT_FOUND"],
  [{ intent: "set-role", member: "MEMBER" }, 400, "codes:ROLE_NOT_FOUND"],
  [{ intent: "set-role", role: "admin" }, 400, "validation:form.incomplete"],
  [{ intent: "remove", member: "x".repeat(65) }, 400, "validation:form.incomplete"],
  [{ intent: "remove", member: "nobody" }, 409, "codes:MEMBER_NOT_FOUND"],
  [{ intent: "transfer", member: "nobody" }, 409, "codes:MEMBER_NOT_FOUND"],
  [{ intent: "remove", member: "FOREIGN" }, 409, "codes:MEMBER_NOT_FOUND"],
  [{ intent: "set-role", member: "FOREIGN", role: "member" }, 409, "codes:MEMBER_NOT_FOUND"],
  [{ intent: "transfer", member: "FOREIGN" }, 409, "codes:MEMBER_NOT_FOUND"],
] as const)("the change %j is refused with a message", async (fields, status, key) => {
  const company = await aCompany();
  const foreign = await anOrganization(gatehouse, {}, { members: [await aUser(gatehouse)] });
  const ids: Record<string, string> = {
    MEMBER: company.idOf(company.member.user),
    FOREIGN: foreign.members[1]?.id ?? "",
  };
  const typed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, ids[value] ?? value]),
  );

  const refused = await refusalOf(await change(company, company.owner.browser, typed));

  expect(refused).toEqual([status, t(key)]);
});

test("admins see who is banned or being deleted, and members do not", async () => {
  const { admin, member, list, owner } = await aCompany();
  await gatehouse.d1
    .prepare("UPDATE user SET banned = 1, deletion_due_at = 9999999999999 WHERE id = ?")
    .bind(admin.user.id)
    .run();
  const rowOf = async ({ browser }: { browser: Browser }) => {
    const page = readPage(await (await browser.get(`${list}?role=admin`)).text());
    return page.rows()[0]?.[2];
  };

  expect(await rowOf(owner)).toBe("Admin Banned Being deleted");
  expect(await rowOf(member)).toBe("Admin");
  const data = await (await member.browser.get(`${list}.data`)).text();
  expect(data).toContain("isBanned");
  expect(data).not.toContain("deletion_due_at");
});
