import { appScreen } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import { TEAM_ACTS } from "../acts.ts";
import { TeamForm, TeamsForm } from "../input.ts";
import { TEAM_EVENTS, teamCases } from "./team-calls.ts";
import { aTeam, inTeam } from "./teams.ts";

const TEAMS = "/app/organizations/:slug/teams";
const TEAM = `${TEAMS}/:team`;
const TEAM_URL = "/teams/:team";
const NOBODY = "nobody-has-this";

type Ids = { slug: string; team: string };

export const facts = {
  access: { [TEAMS]: appScreen(404, 415), [TEAM]: appScreen(404, 415) },
  forms: { [TEAMS]: TeamsForm, [TEAM]: TeamForm },
  acts: {
    [TEAMS]: [[TEAM_ACTS.team, { intent: "create", name: "Spies" }]],
    [TEAM]: [
      [TEAM_ACTS.team, { intent: "rename", name: "Team" }],
      [TEAM_ACTS.team, { intent: "delete" }],
      [TEAM_ACTS.team, { intent: "add", user: NOBODY }],
      [TEAM_ACTS.team, { intent: "remove", removed: NOBODY }],
    ],
  },
  fields: (_aim, { ids }) => ({ team: ids[TEAM_URL] ?? "", teamId: ids[TEAM_URL] }),
  leftBehind: { "own:team": "A team, which gives no rights." },
  calls: {
    "/organization/create-team": [{ organizationId: NOBODY, name: "X" }],
    "/organization/update-team": [{ teamId: NOBODY, data: { organizationId: NOBODY, name: "X" } }],
    "/organization/remove-team": [{ organizationId: NOBODY, teamId: NOBODY }],
    "/organization/set-active-team": [{ teamId: NOBODY }],
    "/organization/add-team-member": [{ organizationId: NOBODY, teamId: NOBODY, userId: NOBODY }],
    "/organization/remove-team-member": [
      { organizationId: NOBODY, teamId: NOBODY, userId: NOBODY },
    ],
  },
  changes: {
    "the active organization of a session": ["/api/auth/organization/set-active-team"],
    "an organization": [
      TEAMS,
      TEAM,
      "/api/auth/organization/add-team-member",
      "/api/auth/organization/create-team",
      "/api/auth/organization/remove-team",
      "/api/auth/organization/remove-team-member",
      "/api/auth/organization/update-team",
    ],
  },
  changedByOwner: [TEAMS, TEAM],
  clientCalls: {
    cases: teamCases,
    recorded: TEAM_EVENTS,
    unrecorded: ["/organization/set-active-team"],
  },
  organizationCalls: (ids, unknown) => {
    const teamId = ids[TEAM_URL];
    const everyone = ["owner", "admin", "member"] as const;
    return [
      { path: "list-teams", input: (id) => ({ organizationId: id }), isGet: true, open: everyone },
      {
        path: "list-user-teams",
        input: (id) => ({ organizationId: id }),
        isGet: true,
        open: everyone,
      },
      {
        path: "update-team",
        input: (id) => ({ teamId, data: { organizationId: id, name: "Secret Project team" } }),
        open: ["owner", "admin"],
      },
      {
        path: "remove-team",
        input: (id) => ({ organizationId: id, teamId: unknown }),
        open: [],
        never: "team.deleted",
      },
      {
        path: "create-team",
        input: (id) => ({ organizationId: id, name: "Secret Project" }),
        open: [],
      },
      {
        path: "add-team-member",
        input: (id) => ({ organizationId: id, teamId, userId: unknown }),
        open: [],
        never: "team.member_added",
      },
      {
        path: "remove-team-member",
        input: (id) => ({ organizationId: id, teamId, userId: unknown }),
        open: [],
      },
    ];
  },
  tables: ["team", "team_member"],
  async urls(gatehouse, organization) {
    if (!organization) return { [TEAM_URL]: NOBODY };
    const team = await aTeam(gatehouse, { organization_id: organization.id });
    return { [TEAM_URL]: team.id };
  },
  async seed(gatehouse, { organization: { id, slug }, owner }): Promise<Ids> {
    const names = [
      "Design · تصميم",
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaften",
    ];
    const [first] = await Promise.all(
      names.map((name) => aTeam(gatehouse, { organization_id: id, name })),
    );
    const team = first?.id ?? "";
    await inTeam(gatehouse, team, owner.id);
    const details = JSON.stringify({ team: names[0] });
    await insertRows(gatehouse.d1, "audit_event", [
      {
        id: crypto.randomUUID(),
        action: "team.created",
        actor_id: owner.id,
        target_type: "organization",
        target_id: id,
        details,
        created_at: Date.now(),
      },
    ]);
    return { slug, team };
  },
  screens: screensOf<Ids>("owner", {
    teams: ({ slug }) => `/app/organizations/${slug}/teams`,
    team: ({ slug, team }) => `/app/organizations/${slug}/teams/${team}`,
  }),
  async translated({ gatehouse, organization: { id, slug }, ofUser }) {
    const team = await aTeam(gatehouse, { organization_id: id, name: "Acme" });
    const all = `/app/organizations/${slug}/teams`;
    return [
      ["app, teams", ofUser, (browser) => browser.get(all)],
      ["app, a team", ofUser, (browser) => browser.get(`${all}/${team.id}`)],
    ];
  },
  personal: ["team_member"],
  async know(insert, { id, at, key }) {
    await insert("team", {
      id: key("team"),
      name: "Blue",
      organization_id: key("org"),
      created_at: at,
    });
    await insert("team_member", {
      id: key("place"),
      team_id: key("team"),
      user_id: id,
      created_at: at,
    });
  },
} satisfies FeatureTests<Ids>;
