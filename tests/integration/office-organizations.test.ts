import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { accessibleError, alertsOf, locationOf, readText } from "../support/client.ts";
import { openList, walkList } from "../support/lists.ts";
import { officeOf } from "../support/office-organizations.ts";
import { anOrganization, newSlug } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, manyUsers, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/organizations";
const NEW = "/manager/organizations/new";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);
const { pathOf, toastOf, change, rolesIn, findRow, lastEvent } = officeOf(gatehouse, manager);

test("the list searches names and slugs, filters, sorts and shows totals", async () => {
  await using own = await startGatehouse();
  const { browser } = await anAdmin(own);
  const now = Date.now();
  const add = async (name: string, overrides = {}, parts = {}) =>
    (await anOrganization(own, { name, ...overrides }, parts)).organization.id;
  const [someone] = await manyUsers(own, [{}]);
  const ids = {
    plain: await add("Quercus", { slug: "oak", created_at: now - 4 * DAY_MS }),
    invited: await add("Acer", { created_at: now - 3 * DAY_MS }, { invitations: [{}] }),
    expired: await add(
      "Betula",
      { created_at: now - 2 * DAY_MS },
      { invitations: [{ expires_at: now - 1 }], members: someone ? [someone] : [] },
    ),
    inactive: await add("Cedrus", {
      created_at: now - 100 * DAY_MS,
      last_activity_at: now - 31 * DAY_MS,
    }),
    disabled: await add("Fagus", { created_at: now - DAY_MS, disabled_at: now }),
    deletion: await add("Larix", { created_at: now - 1, deletion_due_at: now + DAY_MS }),
  };

  for (const [search, names] of [
    ["", ["deletion", "disabled", "expired", "invited", "plain", "inactive"]],
    [
      "sort=name&direction=asc",
      ["invited", "expired", "inactive", "disabled", "deletion", "plain"],
    ],
    ["state=invited", ["invited"]],
    ["state=inactive", ["inactive"]],
    ["state=disabled", ["disabled"]],
    ["state=deletion", ["deletion"]],
    [
      "state=nonsense&sort=created&direction=asc",
      ["inactive", "plain", "invited", "expired", "disabled", "deletion"],
    ],
    ["searchTerm=oak", ["plain"]],
    ["searchTerm=QUER", ["plain"]],
    ["searchTerm=ce", ["inactive"]],
    ["searchTerm=fagus&state=disabled", ["disabled"]],
    ["searchTerm=fagus&state=invited", []],
  ] as const) {
    const shown = await openList(browser, `${LIST}?${search}`);
    expect([search, shown.ids]).toEqual([search, names.map((name) => ids[name])]);
  }
  const byMembers = await walkList(browser, `${LIST}?sort=members&direction=desc`);
  expect(byMembers[0]).toBe(ids.expired);
  expect((await openList(browser, LIST)).text).toContain("Showing 6 of 6");
});

test("the export has the rows of the search and the filter", async () => {
  const slug = newSlug("exported");
  const { organization } = await anOrganization(gatehouse, { name: "Exported", slug });
  await anOrganization(gatehouse, { name: "Exported too", disabled_at: 1 });

  const response = await manager.get(`${LIST}/export?searchTerm=exported&state=disabled`);
  const all = await (await manager.get(`${LIST}/export?searchTerm=${slug}`)).text();

  expect(response.headers.get("content-type")).toContain("text/csv");
  const text = await response.text();
  expect(text).toContain("Exported too");
  expect(text).not.toContain(slug);
  expect(all.split("\r\n")[1]).toMatch(
    new RegExp(`^"?${organization.id}"?,"?Exported"?,"?${slug}"?,"?active"?,"?1"?,`),
  );
});

test("the detail shows members, open invitations and the last events", async () => {
  const banned = await aUser(gatehouse, { name: "Bahati Banned", banned: 1 });
  const leaving = await aUser(gatehouse, {
    name: "Lina Leaving",
    deletion_due_at: Date.now() + DAY_MS,
  });
  const { organization, ownerId } = await anOrganization(
    gatehouse,
    {},
    {
      admins: [banned],
      members: [leaving],
      invitations: [{ email: "open@example.net" }, { email: "old@example.net", expires_at: 1 }],
    },
  );
  const { id } = organization;
  await change(id, { intent: "rename", name: "Renamed", slug: organization.slug, version: "1" });

  const response = await manager.get(pathOf(id));
  const html = await response.text();
  const text = readText(html);

  expect(Number(response.headers.get("x-d1-calls"))).toBeLessThanOrEqual(3);
  for (const shown of [
    "Renamed",
    organization.slug,
    "Olga Owner",
    "Bahati Banned",
    "Lina Leaving",
    "Account being deleted",
    "open@example.net",
    "Organization updated",
  ]) {
    expect(text).toContain(shown);
  }
  expect(text).not.toContain("old@example.net");
  expect(html).toContain(`/manager/users/${ownerId}`);
  expect(html).toContain(`/manager/audit?target=${id}`);
  expect((await manager.get(pathOf("nothing-has-this"))).status).toBe(404);
  expect((await user.get(pathOf(id))).status).toBe(403);
});

test("nothing in a disabled organization can change until it is enabled", async () => {
  const { organization, members } = await anOrganization(gatehouse);
  const { id } = organization;

  const missing = await change(id, { intent: "disable", reason: " " });
  expect(accessibleError(await missing.text(), "reason")).toBe("Reason is required");
  const disabled = await change(id, { intent: "disable", reason: "Unpaid bills" });
  expect(await toastOf(manager, disabled)).toBe("Organization disabled.");
  expect(await findRow(id)).toMatchObject({ disabled_reason: "Unpaid bills" });
  expect(await lastEvent(id)).toMatchObject({
    action: "organization.disabled",
    actor_id: admin.id,
    details: { reason: "Unpaid bills" },
  });
  const { disabled_at: since } = (await findRow(id)) ?? {};
  const events = await auditOf(gatehouse, id);
  await change(id, { intent: "disable", reason: "Unpaid bills" });
  expect(await auditOf(gatehouse, id)).toEqual(events);
  await change(id, { intent: "disable", reason: "Spam" });
  expect(await findRow(id)).toMatchObject({ disabled_reason: "Spam", disabled_at: since });
  expect(readText(await (await manager.get(pathOf(id))).text())).toContain("Spam");

  const [owner] = members;
  const forms: Record<string, string>[] = [
    { intent: "rename", name: "Other", slug: "other-slug", version: "3" },
    { intent: "add-member", email: admin.email, role: "member" },
    { intent: "transfer", member: owner?.id ?? "" },
  ];
  for (const fields of forms) {
    expect(await toastOf(manager, await change(id, fields))).toBe(
      "This organization is disabled. Nothing in it can be changed.",
    );
  }

  const enabled = await change(id, { intent: "enable" });
  expect(await toastOf(manager, enabled)).toBe("Organization enabled.");
  expect(await findRow(id)).toMatchObject({ disabled_at: null, disabled_reason: null });
  expect((await lastEvent(id))?.action).toBe("organization.enabled");
});

test("a manager creates an organization for a user, with a proposed or a chosen slug", async () => {
  const owner = await aUser(gatehouse);
  const create = (fields: Record<string, string>) => manager.submit(NEW, fields);

  const proposed = await create({ name: "Société Générale", slug: "", ownerEmail: owner.email });
  const id = locationOf(proposed)?.split("/").at(-1) ?? "";
  const created = readPage(await (await manager.follow(proposed)).text());
  expect(textOf(created.find("heading"))).toBe("Société Générale");
  expect(textOf(created.noscript())).toBe("");
  expect(await findRow(id)).toMatchObject({ name: "Société Générale", slug: "societe-generale" });
  expect(await rolesIn(id)).toEqual({ [owner.id]: "owner" });
  const again = await create({ name: "Société Générale", slug: "", ownerEmail: owner.email });
  const other = await findRow(locationOf(again)?.split("/").at(-1) ?? "");
  expect(other?.slug).toMatch(/^societe-generale-\w{4}$/);

  const taken = await create({ name: "Else", slug: "societe-generale", ownerEmail: owner.email });
  expect(accessibleError(await taken.text(), "slug")).toBe("This short name is already used");
  const nobody = await create({ name: "Else", slug: "", ownerEmail: newEmail("nobody") });
  const page = await nobody.text();
  expect(nobody.status).toBe(400);
  expect(accessibleError(page, "ownerEmail")).toBe(
    "No user has this email. The person needs an account first.",
  );
  expect(readPage(page).field("name")?.value).toBe("Else");
});

test("a manager deletes an organization with a grace period, and restores it", async () => {
  const { organization } = await anOrganization(gatehouse, {}, { invitations: [{}] });
  const { id, name } = organization;

  const wrong = await change(id, { intent: "delete", typedName: "Something else" });
  expect(accessibleError(await wrong.text(), "typedName")).toBe(
    "This is not the name of the organization",
  );
  const started = await change(id, { intent: "delete", typedName: name });
  expect(await toastOf(manager, started)).toBe("The organization will be deleted.");
  expect((await lastEvent(id))?.action).toBe("organization.deletion_started");
  expect((await openList(manager, `${LIST}?state=deletion`)).ids).toContain(id);
  const closed = await change(id, { intent: "add-member", email: admin.email, role: "member" });
  expect(await toastOf(manager, closed)).toBe(
    "This organization is being deleted. Restore it first.",
  );
  const restored = await change(id, { intent: "restore" });
  expect(await toastOf(manager, restored)).toBe("Organization restored.");
  expect((await findRow(id))?.deletion_due_at).toBeNull();
});

test("the states of an organization each have their own notice and button", async () => {
  const overrides = { disabled_at: Date.now(), deletion_due_at: Date.now() + DAY_MS };
  const { organization } = await anOrganization(gatehouse, overrides);

  const page = readPage(await (await manager.get(pathOf(organization.id))).text());
  const notices = page
    .findAll("status")
    .map((notice) => textOf(notice.parentElement?.parentElement))
    .filter((text) => /deleted on|Disabled since/.test(text));

  expect(notices).toEqual([
    expect.stringMatching(/^Will be deleted on .* Restore$/),
    expect.stringMatching(/^Disabled since .* Enable$/),
  ]);
  expect(textOf(page.find("region", "Details"))).toMatch(/Being deleted Disabled/);
});

test("unknown organizations are 404, unknown forms 400, and users get 403 for every form", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = organization;
  const forms: Record<string, string>[] = [
    { intent: "rename", name: "X1", slug: "x-1", version: "1" },
    { intent: "add-member", email: admin.email, role: "member" },
    { intent: "set-role", member: "m", newRole: "member" },
    { intent: "remove-member", member: "m" },
    { intent: "restore-member", member: "m" },
    { intent: "transfer", member: "m" },
    { intent: "disable", reason: "Because" },
    { intent: "enable" },
    { intent: "delete", typedName: "X" },
    { intent: "restore" },
  ];
  for (const fields of forms) {
    const intent = fields.intent ?? "";
    expect([intent, (await change("nothing-has-this", fields)).status]).toEqual([intent, 404]);
    const refused = await user.submit(pathOf(id), fields);
    expect([intent, refused.status]).toEqual([intent, 403]);
  }
  const strange = await manager.submit(pathOf(id), { intent: "explode" });
  expect(strange.status).toBe(400);
  expect(alertsOf(await strange.text()).join()).toContain("incomplete");
});
