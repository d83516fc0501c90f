import { z } from "zod";
import { OwnName } from "../../values/person-name.ts";
import { Id } from "../organizations/input.ts";

const ChosenPerson = z.string({ error: "organizations:teams.chooseRequired" }).max(64);

const TeamName = z.object({ name: OwnName });

export const TeamsForm = TeamName.extend({ intent: z.literal("create") });

export const TeamForm = z.discriminatedUnion("intent", [
  TeamName.extend({ intent: z.literal("rename") }),
  z.object({ intent: z.literal("delete") }),
  z.object({ intent: z.literal("add"), user: ChosenPerson }),
  z.object({ intent: z.literal("remove"), removed: Id }),
]);
