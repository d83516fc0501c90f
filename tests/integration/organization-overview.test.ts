import { afterAll, expect, test } from "vitest";
import { createDb } from "../../app/db/db.server.ts";
import { loadOverview } from "../../app/features/organizations/organization-page.server.ts";
import { readText } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { anOrganization } from "../support/organizations.ts";
import { aSignedInUser, aUser, manyUsers } from "../support/people.ts";
import { plansOf, wholeTableReads } from "../support/plans.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

test("the overview lists members by role and name", async () => {
  const names = ["Zoe", "bob", "Ada", "Mia"];
  const [zoe, bob, ada, mia] = await manyUsers(
    gatehouse,
    names.map((name) => ({ name })),
  );
  if (!zoe || !bob || !ada || !mia) throw new Error("a user is missing");
  const { organization } = await anOrganization(
    gatehouse,
    {},
    { owner: zoe, admins: [mia], members: [bob, ada] },
  );
  await gatehouse.d1
    .prepare("UPDATE member SET created_at = role = 'owner' WHERE organization_id = ?")
    .bind(organization.id)
    .run();
  const visitor = { slug: organization.slug, userId: zoe.id, now: new Date() };

  const page = await loadOverview(createDb(gatehouse.d1), visitor);
  if (!page.frame) throw new Error("the owner does not see the organization");

  expect(page.members.map(({ name, role }) => `${name} ${role}`)).toEqual([
    ...["Zoe owner", "Mia admin", "Ada member", "bob member"],
  ]);

  const plans = await plansOf(gatehouse, (db) => loadOverview(db, visitor));

  expect(plans.length).toBeGreaterThan(3);
  expect(wholeTableReads(plans)).toEqual([]);
});

test("the overview tells whose role changed, and names a person who acts on themselves once", async () => {
  const [olga, mia] = await manyUsers(gatehouse, [{ name: "Olga" }, { name: "Mia" }]);
  if (!olga || !mia) throw new Error("a user is missing");
  const { organization } = await anOrganization(gatehouse, {}, { owner: olga, members: [mia] });
  await insertRows(
    gatehouse.d1,
    "audit_event",
    [
      { action: "member.role_changed", details: { member: olga.id, after: { role: "admin" } } },
      { action: "member.role_changed", details: { member: mia.id, after: { role: "admin" } } },
      { action: "member.removed", details: { member: olga.id } },
    ].map(({ action, details }, index) => ({
      id: `told-${index}`,
      action,
      actor_id: olga.id,
      details: JSON.stringify(details),
      target_type: "organization",
      target_id: organization.id,
      created_at: index,
    })),
  );
  const visitor = { slug: organization.slug, userId: olga.id, now: new Date() };

  const page = await loadOverview(createDb(gatehouse.d1), visitor);
  if (!page.frame) throw new Error("the owner does not see the organization");

  const told = page.events.filter(({ id }) => id.startsWith("told"));
  expect(told.map(({ subject }) => subject)).toEqual([null, "Mia", "Olga"]);
});

test("the overview counts what it links to, and tells who is banned only to those who manage members", async () => {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
  const banned = await aUser(gatehouse, { name: "Ben", banned: 1 });
  const { organization } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, members: [member.user, banned] },
  );
  const seenBy = async ({ browser }: typeof owner) =>
    readText(await (await browser.get(`/app/organizations/${organization.slug}`)).text());

  const forOwner = await seenBy(owner);
  expect(forOwner).toContain(t("organizations:overview.allMembers", { count: 3 }));
  expect(forOwner).toContain(`Ben ${t("organizations:roles.member")} Banned`);
  expect(await seenBy(member)).not.toContain(t("organizations:membersList.banned"));
});
