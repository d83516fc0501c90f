import type { Route } from "./+types/openid-configuration.ts";
import { answerMetadata } from "./metadata.server.ts";

/** Tells clients of OpenID Connect where everything is. Source: OpenID Connect Discovery 1.0. */
export function loader({ context }: Route.LoaderArgs) {
  return answerMetadata(context);
}
