import type { FeatureFacts } from "../../feature.ts";

/** Groups of members of an organization. A team gives no rights. */
export const teams = {
  name: "teams",
  organizationPermissions: {
    team: {
      create: ["owner", "admin"],
      update: ["owner", "admin"],
      delete: ["owner", "admin"],
    },
  },
  harmless: { "own:team": "A team gives no rights beyond the organization." },
  audit: {
    "team.created": {
      icon: "users",
      fields: ["team"],
      webhook: { type: "team.created", for: "all" },
    },
    "team.renamed": { icon: "pencil", webhook: { type: "team.updated", for: "all" } },
    "team.deleted": { icon: "trash-2", webhook: { type: "team.deleted", for: "all" } },
    "team.member_added": { icon: "users", webhook: { type: "team.member_added", for: "all" } },
    "team.member_removed": { icon: "users", webhook: { type: "team.member_removed", for: "all" } },
  },
} as const satisfies FeatureFacts;
