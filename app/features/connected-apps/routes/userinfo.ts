import { isForeignToken } from "../oauth-call.ts";
import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/userinfo.ts";
import { answerCall, readCallForm, refuse } from "./call.server.ts";

/** Tells an app who its user is. Source: OpenID Connect Core 1.0, 5.3. */
export async function loader({ request, context }: Route.LoaderArgs) {
  return answer({ request, context }, request.headers.get("authorization"));
}

/** The token may also be in a form. Source: RFC 6750, 2.2. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readCallForm(request);
  const token = form?.get("access_token");
  const authorization = request.headers.get("authorization") ?? (token ? `Bearer ${token}` : null);
  return answer({ request, context }, authorization);
}

type Asked = Pick<Route.LoaderArgs, "request" | "context">;

/** Without a token, the answer only says that one is needed. Source: RFC 6750, 3. */
function answer(asked: Asked, authorization: string | null): Promise<Response> | Response {
  if (authorization === null) {
    return new Response(null, { status: 401, headers: { "WWW-Authenticate": "Bearer" } });
  }
  if (isForeignToken(authorization.replace(/^Bearer /i, ""))) {
    return refuse({ status: 401, error: "invalid_token", description: "The token is not valid" });
  }
  const headers = { Authorization: authorization };
  return answerCall(asked, { method: "GET", path: PROVIDER.userinfo, headers });
}
