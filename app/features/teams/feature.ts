import type texts from "../../../locales/en/teams.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** Groups of members of an organization. A team gives no rights. */
export const teams = {
  name: "teams",
  texts: { teams: textsOf<typeof texts>() },
  parts: [
    {
      name: "teams",
      to: "/app/organizations/:slug/teams",
      label: "organizations:nav.teams",
      after: "members",
      form: {
        opens: "?new",
        needs: ["team", "create"],
        label: "organizations:teams.new",
        icon: "plus",
      },
    },
  ],
  panels: {
    "office-teams": { in: "officeAside" },
    "invite-team": { in: "inviteForm" },
    "invitation-row-team": { in: "invitationRow" },
    "invitation-team": { in: "invitation" },
  },
  raised: ["TEAM_NOT_FOUND"],
  organizationPermissions: {
    team: {
      create: ["owner", "admin"],
      update: ["owner", "admin"],
      delete: ["owner", "admin"],
    },
  },
  audit: {
    "team.created": {
      icon: "users",
      fields: ["team"],
      about: "team",
      webhook: { type: "team.created", for: "all", ids: ["organization", "team"] },
    },
    "team.renamed": {
      icon: "pencil",
      about: "team",
      webhook: { type: "team.updated", for: "all", ids: ["organization", "team"] },
    },
    "team.deleted": {
      icon: "trash-2",
      about: "team",
      webhook: { type: "team.deleted", for: "all", ids: ["organization", "team"] },
    },
    "team.member_added": {
      icon: "users",
      about: "team",
      webhook: { type: "team.member_added", for: "all", ids: ["organization", "team", "user"] },
    },
    "team.member_removed": {
      icon: "users",
      about: "team",
      webhook: { type: "team.member_removed", for: "all", ids: ["organization", "team", "user"] },
    },
  },
} as const satisfies FeatureFacts;
