import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { accessibleError, alertsOf, undoFormOf } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { openList } from "../support/lists.ts";
import { officeOf } from "../support/office-organizations.ts";
import { aMember, anOrganization, newSlug } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aUser, manyUsers, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/organizations";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { pathOf, toastOf, change, rolesIn, findRow, lastEvent } = officeOf(gatehouse, manager);

test("a manager renames an organization; a taken slug is an error beside its field", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { organization: other } = await anOrganization(gatehouse);
  const { id } = organization;
  const slug = newSlug("renamed");
  const form = { intent: "rename", name: "Renamed", version: "1" };

  const taken = await change(id, { ...form, slug: other.slug });
  const page = await taken.text();
  expect(taken.status).toBe(400);
  expect(accessibleError(page, "slug")).toBe("This short name is already used");
  expect(readPage(page).field("name")?.value).toBe("Renamed");

  const renamed = await change(id, { ...form, slug });
  expect(await toastOf(manager, renamed)).toBe("Organization saved.");
  expect(await findRow(id)).toMatchObject({ name: "Renamed", slug, version: 2 });
  expect(await lastEvent(id)).toMatchObject({
    action: "organization.updated",
    actor_id: admin.id,
    details: { before: { name: organization.name }, after: { name: "Renamed", slug } },
  });
  expect((await openList(manager, `${LIST}?searchTerm=${slug}`)).ids).toEqual([id]);

  const stale = await change(id, { ...form, name: "Stale", slug });
  expect(await toastOf(manager, stale)).toBe("Changed by someone else");
});

test("a manager adds a user, who may be in ten organizations at most", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = organization;
  const person = await aUser(gatehouse);
  const form = { intent: "add-member", email: person.email.toUpperCase(), role: "admin" };

  const added = await change(id, form);
  expect(await toastOf(manager, added)).toBe("Member added.");
  expect((await rolesIn(id))[person.id]).toBe("admin");
  expect(await lastEvent(id)).toMatchObject({
    action: "member.added",
    details: { member: person.id, role: "admin" },
  });

  const again = await change(id, form);
  expect(accessibleError(await again.text(), "email")).toBe(
    "This user is already a member of this organization",
  );
  const unknown = await change(id, { ...form, email: newEmail("nobody") });
  expect(accessibleError(await unknown.text(), "email")).toBe(
    "No user has this email. The person needs an account first.",
  );

  const busy = await aUser(gatehouse);
  for (let count = 0; count < 10; count++) {
    const { organization: next } = await anOrganization(gatehouse, {}, { owner: busy });
    expect(next.id).not.toBe(id);
  }
  const refused = await change(id, { ...form, email: busy.email });
  expect(accessibleError(await refused.text(), "email")).toBe(
    "This user is already in 10 organizations",
  );
});

test("a manager changes roles and removes members, but an owner stays", async () => {
  const person = await aUser(gatehouse);
  const { organization, ownerId, members } = await anOrganization(
    gatehouse,
    {},
    { members: [person] },
  );
  const { id } = organization;
  const memberId = (userId: string) => members.find((row) => row.user_id === userId)?.id ?? "";

  const lastOwner = await change(id, {
    intent: "set-role",
    member: memberId(ownerId),
    newRole: "member",
  });
  expect(alertsOf(await lastOwner.text())).toEqual([expect.stringContaining("only owner")]);
  const gone = await change(id, { intent: "remove-member", member: memberId(ownerId) });
  expect(alertsOf(await gone.text())).toEqual([expect.stringContaining("only owner")]);
  const foreign = await change(id, { intent: "remove-member", member: "nothing-has-this" });
  expect(await toastOf(manager, foreign)).toBe("Member not found");

  const promoted = await change(id, {
    intent: "set-role",
    member: memberId(person.id),
    newRole: "owner",
  });
  expect(await toastOf(manager, promoted)).toBe("Role changed.");
  expect(await rolesIn(id)).toEqual({ [ownerId]: "owner", [person.id]: "owner" });

  const removed = await change(id, { intent: "remove-member", member: memberId(ownerId) });
  const undoForm = await undoFormOf(manager, removed);
  expect(await rolesIn(id)).toEqual({ [person.id]: "owner" });
  expect((await auditOf(gatehouse, id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["member.role_changed", "member.removed"]),
  );

  const undone = await manager.submit(undoForm.action, undoForm.fields);
  expect(await toastOf(manager, undone)).toBe(t("organizations:toast.memberRestored"));
  expect(await rolesIn(id)).toEqual({ [ownerId]: "owner", [person.id]: "owner" });
});

test("each row leads to a drawer that names the member", async () => {
  const person = await aUser(gatehouse, { name: "Otto Other" });
  const { organization, members } = await anOrganization(gatehouse, {}, { members: [person] });
  const { id } = organization;
  const path = pathOf(id);
  const [member] = members.filter((row) => row.user_id === person.id);
  const drawerOn = async (search: string) =>
    textOf(readPage(await (await manager.get(path + search)).text()).find("dialog"));

  const page = readPage(await (await manager.get(path)).text());
  expect(page.find("dialog")).toBeUndefined();
  const actions = t("common:list.rowActions", { name: "Otto Other" });
  expect(page.linkTo(actions)).toBe(`${path}?member=${member?.id}`);

  expect(await drawerOn(`?member=${member?.id}`)).toContain("Otto Other");
  // Only a script knows whether the role differs, so without one the button stays active.
  const drawer = readPage(await (await manager.get(`${path}?member=${member?.id}`)).text());
  expect(drawer.find("button", t("common:actions.save"))?.hasAttribute("disabled")).toBe(false);
  expect(await drawerOn("?member=nothing-has-this")).toBe("");
  await change(id, { intent: "disable", reason: "Unpaid" });
  expect(await drawerOn(`?member=${member?.id}`)).toBe("");
});

test("the notice of a disabled organization names and links who disabled it last", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { id } = organization;
  const noticeFor = async () => {
    const page = readPage(await (await manager.get(pathOf(id))).text());
    return page.text();
  };
  await change(id, { intent: "disable", reason: "Unpaid" });
  const other = await anAdmin(gatehouse, { name: "Zuri Second" });
  await change(id, { intent: "enable" });
  await change(id, { intent: "disable", reason: "Unpaid again" }, other.browser);

  // Later events push it out of the panel of the last ones.
  const later = Array.from({ length: 25 }, (_, index) => ({
    id: crypto.randomUUID(),
    action: "organization.updated",
    target_type: "organization",
    target_id: id,
    created_at: Date.now() + index,
  }));
  await insertRows(gatehouse.d1, "audit_event", later);

  expect(await noticeFor()).toContain("Reason: Unpaid again Disabled by Zuri Second");
  const page = readPage(await (await manager.get(pathOf(id))).text());
  expect(page.linkTo("Zuri Second")).toBe(`/manager/users/${other.user.id}`);

  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(other.user.id).run();
  expect(await noticeFor()).toContain("Reason: Unpaid again Disabled by an admin");
});

test("a manager transfers the ownership; all other owners become admins", async () => {
  const [one, two] = await manyUsers(gatehouse, [{}, {}]);
  const { organization, ownerId, members } = await anOrganization(
    gatehouse,
    {},
    { members: one ? [one] : [] },
  );
  const { id } = organization;
  await aMember(gatehouse, { organization_id: id, user_id: two?.id ?? "", role: "owner" });

  const newOwner = members.find((row) => row.user_id === one?.id)?.id ?? "";
  const transferred = await change(id, { intent: "transfer", member: newOwner });

  expect(await toastOf(manager, transferred)).toBe("Ownership transferred.");
  expect(await rolesIn(id)).toEqual({
    [ownerId]: "admin",
    [one?.id ?? ""]: "owner",
    [two?.id ?? ""]: "admin",
  });
  expect((await lastEvent(id))?.action).toBe("member.ownership_transferred");
});
