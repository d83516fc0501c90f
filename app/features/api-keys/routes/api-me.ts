import { answerApi, onCall } from "../../../middleware/api-call.server.ts";
import { ME_API } from "../api.ts";
import { findMe } from "../me.server.ts";
import type { Route } from "./+types/api-me.ts";

const HANDLERS = [
  onCall(ME_API.getMe, async ({ services: { db, features }, holder }) => ({
    ok: true,
    body: await findMe(db, holder, features.api),
  })),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);
