import { data, type RouterContextProvider } from "react-router";
import { type FormResult, invalid } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { getCurrentSession, requireKeyProof } from "../../../middleware/current-user.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import type { ApiEndpoint } from "../../access/api-endpoint.ts";
import { may, type RoleHolder } from "../../access/permissions.ts";
import { needsProof } from "../../access/proof.ts";
import { scopeOf } from "../../access/scopes.ts";
import { createApiKey, type KeyOwner, revokeApiKey, rotateApiKey } from "../api-keys.server.ts";
import type { OfferedScope } from "../api-keys-screen.tsx";
import type { ApiKeyForm } from "../input.ts";
import { curlOf, firstPath } from "../snippets.ts";

/** The calls of all features, by operation id. */
type Calls = Readonly<Record<string, ApiEndpoint>>;

/** Returns what a user may give a key: what the API offers, and the user may do. */
export function scopesForUser(api: Calls, user: RoleHolder): OfferedScope[] {
  return offer(api, ({ act, isOfOrganization, isForAll }) =>
    !isOfOrganization && !isForAll && may(user, act.permission)
      ? scopeOf(act.permission)
      : undefined,
  );
}

/** Returns what an owner may give a key of the organization. */
export function scopesForOrganization(api: Calls): OfferedScope[] {
  return offer(api, ({ organization }) => organization && scopeOf(organization));
}

function offer(api: Calls, scopeIn: (call: ApiEndpoint) => string | undefined) {
  const offered = new Map<string, boolean>();
  for (const call of Object.values(api)) {
    const scope = scopeIn(call);
    if (scope) offered.set(scope, offered.get(scope) || needsProof(call.act));
  }
  return [...offered].map(([scope, isProofNeeded]) => ({ scope, needsProof: isProofNeeded }));
}

type Context = Readonly<RouterContextProvider>;

type KeyChange = {
  context: Context;
  url: URL;
  path: string;
  owner: KeyOwner;
  organization?: { id: string; name: string };
  result: FormResult;
};

/** Runs a form of the screen with API keys. Returns a redirect, the new key, or the form with its errors. */
export async function changeApiKeys(change: KeyChange, form: ApiKeyForm) {
  const { context, url, path: list, owner, organization, result } = change;
  const { db, mailer, config, features } = context.get(servicesContext);
  const { user, session } = getCurrentSession(context);
  const info = context.get(requestContext);
  const actor = { actorId: user.id, impersonatorId: session.impersonatedBy, source: info };
  if (form.intent === "revoke-key") {
    if (!(await revokeApiKey(db, actor, owner, form.key))) notFound();
    return redirectWithToast(list, { kind: "success", message: "api-keys:revoked" });
  }
  requireKeyProof(context, url, form.intent === "create-key" ? `${list}?state=new` : list);
  const services = { db, mailer, baseUrl: config.baseUrl };
  const language = context.get(languageContext);
  const maker = { actor, info, language, sessionId: session.id, user, organization };
  const made =
    form.intent === "create-key"
      ? await createApiKey(services, maker, { ...form, scopes: form.scope })
      : await rotateApiKey(services, maker, form.key);
  if (!made) notFound();
  if (!made.ok) {
    const status = made.code === "TOO_MANY_REQUESTS" ? 429 : 409;
    const { code, retryAfterSeconds } = made;
    return invalid(result, { "": [`codes:${code}`] }, { status, retryAfterSeconds });
  }
  const { secret, scopes } = made;
  const path = firstPath(features.api, { scopes, isOfOrganization: organization !== undefined });
  const example = path && curlOf({ method: "GET", url: config.baseUrl + path, key: secret });
  return data({ values: {}, errors: {}, made: { secret, example } });
}
