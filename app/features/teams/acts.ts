import { ownActs } from "../access/act.ts";

/** What members do with the teams of their organization. */
export const TEAM_ACTS = ownActs({
  team: { harmless: "A team gives no rights beyond the organization." },
});
