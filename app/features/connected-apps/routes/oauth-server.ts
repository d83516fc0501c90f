import type { Route } from "./+types/oauth-server.ts";
import { answerMetadata } from "./metadata.server.ts";

/** Tells clients of OAuth where everything is. Source: RFC 8414. */
export function loader({ context }: Route.LoaderArgs) {
  return answerMetadata(context);
}
