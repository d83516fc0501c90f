import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/userinfo.ts";
import { answerCall, readCallForm } from "./call.server.ts";

/** Tells an app who its user is. Source: OpenID Connect Core 1.0, 5.3. */
export async function loader({ request, context }: Route.LoaderArgs) {
  return answerCall({ request, context }, asked(request.headers.get("authorization")));
}

/** The token may also be in a form. Source: RFC 6750, 2.2. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readCallForm(request);
  const token = form?.get("access_token");
  const authorization = request.headers.get("authorization") ?? (token ? `Bearer ${token}` : null);
  return answerCall({ request, context }, asked(authorization));
}

function asked(authorization: string | null) {
  const headers: Record<string, string> = authorization ? { Authorization: authorization } : {};
  return { method: "GET", path: PROVIDER.userinfo, headers } as const;
}
