import type { Route } from "./+types/openapi.ts";
import { describeApi } from "./api-description.server.ts";

/** Answers the description of all calls of programs. */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await describeApi(context), { headers: { "Cache-Control": "no-cache" } });
}
