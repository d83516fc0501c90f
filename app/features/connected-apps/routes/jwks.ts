import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/jwks.ts";
import { answerCall } from "./call.server.ts";

/** Answers the public keys of what apps are told. Source: RFC 7517. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const answer = await answerCall({ request, context }, { method: "GET", path: PROVIDER.jwks });
  if (answer.ok) answer.headers.set("Cache-Control", "public, max-age=300");
  return answer;
}
