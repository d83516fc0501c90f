import { type ApiCall, answerApi, onCall } from "../../../middleware/api-call.server.ts";
import type { ApiAnswer } from "../../access/program.server.ts";
import { listEvents } from "../event-stream.server.ts";
import { EVENT_API } from "../events-api.ts";
import type { Route } from "./+types/events.ts";

const HANDLERS = [onCall(EVENT_API.listEvents, list)];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);

async function list({
  services: { db },
  query,
  now,
}: ApiCall<typeof EVENT_API.listEvents>): Promise<ApiAnswer> {
  return { ok: true, lines: await listEvents(db, query, now) };
}
