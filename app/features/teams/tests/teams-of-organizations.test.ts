import { afterAll, expect, test } from "vitest";
import { locationOf, undo, undoFormOf } from "../../../../tests/support/client.ts";
import {
  organizationDeletions,
  startDeletion,
} from "../../../../tests/support/organization-deletion.ts";
import { aMember, newSlug } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams, aTeam, inTeam } from "./teams.ts";

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());
const deletions = organizationDeletions(gatehouse);

async function aCompany() {
  const owner = await aSignedInUser(gatehouse);
  const admin = await aSignedInUser(gatehouse);
  const member = await aSignedInUser(gatehouse);
  const made = await anOrganizationWithTeams(
    gatehouse,
    {},
    { owner: owner.user, admins: [admin.user], members: [member.user] },
  );
  const path = `/app/organizations/${made.organization.slug}`;
  const fields = { intent: "remove", member: made.members[2]?.id ?? "" };
  return { ...made, owner, admin, member, path, removal: fields };
}

async function teamsOf({ id }: { id: string }) {
  const { results } = await d1
    .prepare("SELECT team_id FROM team_member WHERE user_id = ?")
    .bind(id)
    .all<{ team_id: string }>();
  return results.map(({ team_id }) => team_id);
}

test("a new organization has no team, says so, and asks for none in an invitation", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const slug = newSlug("first");
  await browser.submit("/app/organizations/new", { intent: "save", name: "Active", slug });
  const path = `/app/organizations/${slug}`;
  const asks = async () => {
    const form = readPage(await (await browser.get(`${path}/invitations?invite`)).text());
    return form.field("team") !== undefined;
  };

  const teams = readPage(await (await browser.get(`${path}/teams`)).text());
  expect(teams.text()).toContain("No teams yet.");
  expect(await asks()).toBe(false);

  await browser.submit(`${path}/teams`, { intent: "create", name: "Sales" });
  expect(await asks()).toBe(true);
});

test("the back-office shows an organization's teams", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { organization } = await anOrganizationWithTeams(gatehouse, {}, { teams: ["Night shift"] });

  // An isolate reads a manager's rules at most twice a minute.
  await (await browser.get("/manager")).arrayBuffer();
  const response = await browser.get(`/manager/organizations/${organization.id}`);

  expect(readPage(await response.text()).text()).toContain("Night shift");
  expect(Number(response.headers.get("x-d1-calls"))).toBeLessThanOrEqual(3);
});

test("after a rename the old link leads to the teams, and a form that was open acts", async () => {
  const { owner, member, organization, path } = await aCompany();
  const outside = await aSignedInUser(gatehouse);
  const slug = newSlug("renamed");
  await d1
    .prepare("UPDATE organization SET slug = ? WHERE id = ?")
    .bind(slug, organization.id)
    .run();
  await d1
    .prepare("INSERT OR IGNORE INTO old_slug (slug, organization_id, expires_at) VALUES (?, ?, ?)")
    .bind(organization.slug, organization.id, Date.now() + 1e8)
    .run();
  const create = (name: string, by = owner.browser) =>
    by.submit(`${path}/teams`, { intent: "create", name });

  const data = await member.browser.get(`${path}/teams.data`);
  expect([data.status, await data.text()]).toEqual([
    202,
    expect.stringContaining(`/app/organizations/${slug}/teams`),
  ]);
  const created = await create("Late");
  expect(locationOf(created)).toMatch(`${path}/teams/`);
  const page = await owner.browser.follow(created);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Late")]);
  expect((await create("Spies", outside.browser)).status).toBe(404);
  await d1
    .prepare("UPDATE old_slug SET expires_at = 1 WHERE slug = ?")
    .bind(organization.slug)
    .run();
  expect((await create("Too late")).status).toBe(404);
  const { results } = await d1
    .prepare("SELECT name FROM team WHERE organization_id = ? AND name IN (?, ?, ?)")
    .bind(organization.id, "Late", "Spies", "Too late")
    .all();
  expect(results).toEqual([{ name: "Late" }]);
});

test("a removed member loses the teams and the active team on the next request", async () => {
  const { owner, member, organization, team, path, removal } = await aCompany();
  await inTeam(gatehouse, team.id, member.user.id);
  await d1
    .prepare("UPDATE session SET active_organization_id = ?, active_team_id = ? WHERE user_id = ?")
    .bind(organization.id, team.id, member.user.id)
    .run();
  const open = async () => (await member.browser.get(`${path}/teams/${team.id}.data`)).status;
  expect(await open()).toBe(200);

  await owner.browser.submit(`${path}/members`, removal);

  expect(await open()).toBe(404);
  const left = await d1
    .prepare(
      "SELECT active_organization_id AS active, active_team_id AS team FROM session WHERE user_id = ?",
    )
    .bind(member.user.id)
    .first();
  expect(left).toEqual({ active: null, team: null });
  expect(await teamsOf(member.user)).toEqual([]);
});

test.each(["owner", "admin"] as const)(
  "as %s, Undo gives a removed member the teams back",
  async (by) => {
    const company = await aCompany();
    const { member, team, path, removal } = company;
    const { browser } = company[by];
    await inTeam(gatehouse, team.id, member.user.id);
    const removed = await browser.submit(`${path}/members`, removal);
    expect(await teamsOf(member.user)).toEqual([]);

    await undo(browser, removed);

    expect(await teamsOf(member.user)).toEqual([team.id]);
  },
);

test("a team that is gone meanwhile is left out by Undo", async () => {
  const { owner, member, organization, path, removal } = await aCompany();
  await d1
    .prepare(
      "INSERT INTO team (id, name, organization_id, created_at) VALUES ('gone', 'Gone', ?, 1)",
    )
    .bind(organization.id)
    .run();
  await inTeam(gatehouse, "gone", member.user.id);
  const removed = await owner.browser.submit(`${path}/members`, removal);
  const { action, fields } = await undoFormOf(owner.browser, removed);
  await d1.exec("DELETE FROM team WHERE id = 'gone'");

  await owner.browser.submit(action, fields);

  const role = await d1
    .prepare("SELECT role FROM member WHERE organization_id = ? AND user_id = ?")
    .bind(organization.id, member.user.id)
    .first("role");
  expect(role).toBe("member");
  expect(await teamsOf(member.user)).toEqual([]);
});

test("the erasure of an organization takes its teams with it", async () => {
  const { browser, organization } = await deletions.anOwner();
  await aTeam(gatehouse, { organization_id: organization.id });
  await startDeletion(browser, organization);
  await deletions.makeDue(organization);

  await deletions.runErasure(3);

  expect(await deletions.countOf("organization", "id = ?", organization.id)).toBe(0);
  expect(await deletions.countOf("team", "organization_id = ?", organization.id)).toBe(0);
});

test("the erasure of an account keeps the counts of its teams", async () => {
  const { organization, user } = await deletions.anOwner();
  const team = await aTeam(gatehouse, { organization_id: organization.id });
  await inTeam(gatehouse, team.id, user.id);
  const leaving = await aSignedInUser(gatehouse);
  await aMember(gatehouse, {
    organization_id: organization.id,
    user_id: leaving.user.id,
    role: "admin",
  });
  await inTeam(gatehouse, team.id, leaving.user.id);
  await d1.prepare("UPDATE user SET deletion_due_at = 1 WHERE id = ?").bind(leaving.user.id).run();

  await deletions.runErasure();

  expect(await deletions.countOf("user", "id = ?", leaving.user.id)).toBe(0);
  const left = d1.prepare("SELECT member_count FROM team WHERE id = ?").bind(team.id);
  expect(await left.first("member_count")).toBe(1);
});
