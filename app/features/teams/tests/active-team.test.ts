import { afterAll, expect } from "vitest";
import type { Browser } from "../../../../tests/support/client.ts";
import { clientTest as test } from "../../../../tests/support/endpoints.ts";
import {
  dataOf,
  organizationClientFor,
  refusalOf,
} from "../../../../tests/support/organization-client.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams, inTeam } from "./teams.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function activeIn(browser: Browser) {
  const answer = await browser.get("/api/auth/get-session");
  const { activeOrganizationId, activeTeamId } = JSON.parse(await answer.text()).session;
  return { organization: activeOrganizationId, team: activeTeamId };
}

/** Makes a member of an organization who is signed in. */
async function aSignedInMember() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const made = await anOrganizationWithTeams(gatehouse, {}, { members: [user] });
  const client = organizationClientFor(gatehouse, browser);
  const choose = (organizationId: string) => dataOf(client.setActive({ organizationId }));
  return { user, browser, client, choose, ...made };
}

test("a removed member works in the team no longer, on the next request", async () => {
  const { user, browser, client, choose, organization, team } = await aSignedInMember();
  await inTeam(gatehouse, team.id, user.id);
  await choose(organization.id);
  await dataOf(client.setActiveTeam({ teamId: team.id }));
  expect(await activeIn(browser)).toEqual({ organization: organization.id, team: team.id });

  await gatehouse.d1
    .prepare("DELETE FROM member WHERE user_id = ? AND organization_id = ?")
    .bind(user.id, organization.id)
    .run();

  expect(await activeIn(browser)).toEqual({ organization: null, team: null });
});

test("a team is active only in its active organization and for its members", async () => {
  const { user, browser, client, choose, organization, team } = await aSignedInMember();
  const refusal = (teamId: string) => refusalOf(client.setActiveTeam({ teamId }));

  expect(await refusal(team.id)).toBe("400 NO_ACTIVE_ORGANIZATION");
  await choose(organization.id);
  expect(await refusal(team.id)).toBe("403 USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
  await inTeam(gatehouse, team.id, user.id);
  const other = await anOrganizationWithTeams(gatehouse, {}, { members: [user] });
  await inTeam(gatehouse, other.team.id, user.id);
  expect(await refusal(other.team.id)).toBe("400 TEAM_NOT_FOUND");
  await dataOf(client.setActiveTeam({ teamId: team.id }));
  expect(await activeIn(browser)).toEqual({ organization: organization.id, team: team.id });

  await choose(organization.id);
  expect(await activeIn(browser)).toMatchObject({ team: team.id });
  await client.setActiveTeam({ teamId: null });
  expect(await activeIn(browser)).toEqual({ organization: organization.id, team: null });
  await dataOf(client.setActiveTeam({ teamId: team.id }));
  await choose(other.organization.id);
  expect(await activeIn(browser)).toEqual({ organization: other.organization.id, team: null });
});
