import { href, type RouterContextProvider } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { askPluginOf } from "../../../middleware/ask-plugin.server.ts";
import { requireKeyProof } from "../../../middleware/current-user.ts";
import { findCurrentSession } from "../../../middleware/session.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { type CurrentSession, checkEntry, isFresh } from "../../auth/sessions/sessions.server.ts";
import { appErrorPath } from "../app-error-path.ts";
import {
  type AppRequest,
  narrowedTo,
  readAppRequest,
  withoutThisSite,
  withPrompt,
} from "../app-request.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { isDocumentUrl, knowApp } from "../client-document.server.ts";
import { findRelation, isUntrusted } from "../consents.server.ts";
import { CONSENT_STEP, LOGIN_STEP, PROVIDER } from "../provider-paths.ts";
import { isCallScope } from "../scopes.ts";

type Asker = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * What comes next for an app's request: the person must sign in, is asked for a consent, is told
 * that the app is for members of its organization, or goes back to the app, with a code or an
 * error. `error`: no app can be told, because it is not known where it is. `asked`: the request with
 * what the app may ask for. `isUntrusted`: the person is told where the app is before they are led
 * there.
 */
type Step =
  | { type: "sign-in" }
  | { type: "consent"; asked: AppRequest }
  | { type: "outsider"; location: string }
  | { type: "app"; location: string; isUntrusted: boolean }
  | { type: "error"; code: string };

/** Returns the session if apps may be given something in it. */
export async function findAppSession(
  context: Readonly<RouterContextProvider>,
): Promise<CurrentSession | undefined> {
  const entry = checkEntry(await findCurrentSession(context));
  return entry.ok && !entry.current.session.impersonatedBy ? entry.current : undefined;
}

/** Reads what an app asks in a URL. */
export function readAsked(context: Asker["context"], url: URL): AppRequest {
  const { config } = context.get(servicesContext);
  return withoutThisSite(readAppRequest(url.searchParams), config.baseUrl);
}

/** Asks the provider what comes next. Without a session, it does not know who is there. */
export async function authorize(
  { request, context }: Asker,
  sent: AppRequest,
  current: CurrentSession | undefined,
): Promise<Step> {
  if (sent.clientId === "") return { type: "error", code: "invalid_client" };
  const { db, keys, config, features } = context.get(servicesContext);
  if (isDocumentUrl(sent.clientId)) {
    const source = context.get(requestContext);
    const asker = { source, ipAddress: source.limitedIpAddress };
    const services = { db, keys, config, callScopes: callScopesOf(features) };
    const problem = await knowApp(services, sent.clientId, asker);
    if (problem) return { type: "error", code: problem };
  }
  const relation = await findRelation(
    db,
    sent.clientId,
    current && {
      id: current.user.id,
      activeOrganizationId: current.session.activeOrganizationId,
      isAboutOrganization: sent.scopes.includes("organization"),
    },
  );
  if (relation.type === "closed") return { type: "error", code: "client_disabled" };
  if (relation.type === "outsider") return refuseOutsider({ request, context }, sent);
  const asked = narrowedTo(sent, relation.scopes);
  // A person whose last proof is too old for it is asked for one, as a stranger is.
  const isTooOld =
    relation.isUnguarded && asked.scopes.some(isCallScope) && !isProvedNow(context, current);
  const isAnonymous = current === undefined || isTooOld;
  const answer = await askPluginOf(
    context,
    request,
  )({
    method: "GET",
    path: `${PROVIDER.authorize}?${asked.search}`,
    headers: { Accept: "text/html" },
    isAnonymous,
    reference: isAnonymous ? undefined : relation.reference,
  });
  if (answer.status === 429) return { type: "error", code: "too_many_requests" };
  const location = new URL(answer.headers.get("location") ?? "", config.baseUrl);
  const isHere = location.origin === config.baseUrl;
  if (isHere && location.pathname === LOGIN_STEP) return { type: "sign-in" };
  if (isHere && location.pathname === CONSENT_STEP) return { type: "consent", asked };
  if (isHere && location.pathname === "/login/error") {
    return { type: "error", code: location.searchParams.get("error") ?? "" };
  }
  const app = { clientId: asked.clientId, location };
  // Some errors stand behind the `#`.
  const isError = !location.searchParams.has("code");
  return {
    type: "app",
    location: location.href,
    isUntrusted: isError && (await isUntrusted(db, app, current?.user.id)),
  };
}

type Refusal = { error: string; description: string; isRead?: boolean };

export const NOT_SIGNED_IN = { error: "access_denied", description: "The person did not sign in" };
const OUTSIDER = { error: "access_denied", description: "The person is no member" };

/**
 * Returns the URL that tells an app why its person comes back without a sign-in; that of the page for
 * it where it is not known where the app is. Undefined where nobody is led to the app unless they
 * have read where it is, and `isRead` is false.
 */
export async function refusalTo(
  asker: Asker,
  asked: AppRequest,
  why: Refusal = NOT_SIGNED_IN,
): Promise<string | undefined> {
  const step = await refuse(asker, asked, why);
  if (step.type === "error") return appErrorPath(step.code);
  return step.isUntrusted && !why.isRead ? undefined : step.location;
}

type Refused = Extract<Step, { type: "app" | "error" }>;

async function refuse(
  asker: Asker,
  asked: AppRequest,
  { error, description }: Refusal,
): Promise<Refused> {
  const step = await authorize(asker, withPrompt(asked, "none"), undefined);
  if (step.type === "error") return step;
  if (step.type !== "app") return { type: "error", code: "invalid_request" };
  const location = new URL(step.location);
  if (location.searchParams.get("error") === "login_required") {
    location.searchParams.set("error", error);
    location.searchParams.set("error_description", description);
  }
  return { ...step, location: location.href };
}

/**
 * An app that lets its person be asked nothing, or whose request is not valid, is told at once, if it
 * is known where that leads.
 */
async function refuseOutsider(asker: Asker, asked: AppRequest): Promise<Step> {
  const step = await refuse(asker, asked, OUTSIDER);
  if (step.type === "error") return step;
  const isAboutPerson = new URL(step.location).searchParams.get("error") === OUTSIDER.error;
  const isSilent = asked.prompts.has("none") || !isAboutPerson;
  return isSilent && !step.isUntrusted ? step : { type: "outsider", location: step.location };
}

/** Refuses a manager who acts in the name of the user: an app would keep what they allow. */
export function requireOwnSession(current: CurrentSession): CurrentSession {
  if (!current.session.impersonatedBy) return current;
  const toast = { kind: "info", message: "codes:CLOSED_WHILE_IMPERSONATING" } as const;
  throw redirectWithToast(href("/app"), toast);
}

/**
 * Lets only a person go on who has just proved who they are, where an app asks to call the API for
 * them: as for a new key.
 */
export function requireCallProof(
  context: Readonly<RouterContextProvider>,
  url: URL,
  scopes: readonly string[],
  next = url.pathname + url.search,
): void {
  if (scopes.some(isCallScope)) requireKeyProof(context, url, next);
}

function isProvedNow(context: Asker["context"], current: CurrentSession | undefined): boolean {
  return current !== undefined && isFresh(current, context.get(requestContext).now());
}

/** When the person last signed in, or proved who they are. */
export function provedAtOf({ session }: CurrentSession): Date {
  const times = [session.createdAt, session.authenticatedAt, session.passkeyProvedAt];
  return new Date(Math.max(...times.map((at) => at?.getTime() ?? 0)));
}
