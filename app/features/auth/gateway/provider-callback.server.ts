import { href, redirect } from "react-router";
import { readBody } from "../../../http/body.ts";
import { safeRedirect } from "../../../http/safe-redirect.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { log } from "../../../runtime/log.ts";
import { Email } from "../../../values/email.ts";
import { can } from "../../access/permissions.ts";
import { codeSentCookie } from "../codes/code-sent.ts";
import { SEND_CODE_PATH } from "../sign-in/code-guard.server.ts";
import { firstScreenOf } from "../sign-in/first-screen.ts";
import { pendingLinkCookie } from "../sign-in/pending-link.server.ts";
import { METHODS_ID } from "../sign-in/providers.ts";
import type { ProviderReturn, SignedIn } from "../sign-in/scope.server.ts";
import { cookiesOf } from "./auth-answer.ts";
import { pass } from "./endpoint-call.server.ts";
import { LINKING } from "./endpoints.server.ts";
import { messageForCode } from "./error-message.ts";
import { addBanNotice, addDevice, noteBanned } from "./forward.server.ts";
import type { GatewayCall, GatewayRefusal } from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { linkMessageFor } from "./link-message.ts";

/**
 * Answers of better-auth after which a code to the e-mail helps: the provider does not vouch for the e-mail, or it is
 * not verified here.
 */
const NEEDS_PROOF = ["EMAIL_NOT_VERIFIED", "account_not_linked"];

/** Code for an e-mail whose domain the provider may not sign in. */
const DOMAIN_REFUSED = "EMAIL_DOMAIN_NOT_ALLOWED";

/** Fields of a posted callback that better-auth reads. */
const CALLBACK_FIELDS = ["state", "code", "error", "user"];
const CALLBACK_MAX_BYTES = 16_384;

type Identity = ProviderReturn["identity"];

/** Answers a provider's form with a redirect that carries its fields, to which the browser adds our cookies. */
export async function repeatCallback(request: Request): Promise<Response> {
  const body = await readBody(request, { maxBytes: CALLBACK_MAX_BYTES });
  const sent = new URLSearchParams(new TextDecoder().decode(body));
  const search = new URLSearchParams();
  for (const name of CALLBACK_FIELDS) {
    const value = sent.get(name);
    if (value !== null) search.set(name, value);
  }
  return redirect(`${new URL(request.url).pathname}?${search}`, 303);
}

/**
 * Answers the redirect of an identity provider. A sign-in leads to the first screen, a linked account to the account
 * screen, an e-mail without proof to the form for a code, and an error to the page for errors.
 */
export async function handleCallback(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  search: string,
): Promise<Response> {
  const provider = path.slice("/callback/".length);
  const state = new URLSearchParams(search).get("state") ?? "";
  const about = { type: "from-provider", provider, state } as const;
  const sent = { method: "GET", body: {}, redirect: undefined, about } as const;
  const { answer, scope } = await parts.callAuth(call, path + search, sent);
  const returned = scope.subject.type === "provider" ? scope.subject : undefined;
  if (returned?.linking) await parts.methods.tellLinked(call, returned.linking);
  if (answer instanceof Response && answer.status < 400) {
    log("info", "auth.callback", { request: call.info.id, provider });
    const response = new Response(answer.body, answer);
    if (returned?.signedIn) {
      await addDevice(parts, response.headers, scope, returned.signedIn, provider);
      return leadToFirstScreen(parts, response, returned.signedIn);
    }
    await addBanNotice(parts, response.headers, returned?.ban);
    noteBanned(parts, call, scope, returned?.bannedEmail);
    return (
      (await endLinking(parts, call, response, returned?.refusedEmail)) ??
      (await askForProof(parts, call, returned?.identity, response)) ??
      tellRefused(parts, returned, response)
    );
  }
  const ended = await endLinking(parts, call, answer);
  if (ended) return ended;
  // This answer is shown to a person, so it redirects to a page.
  return new Response(null, {
    status: 303,
    headers: { Location: `${parts.baseUrl}/login/error?error=unknown_error` },
  });
}

/**
 * Redirects after a sign-in with a provider to the user's first screen, because better-auth only knows the login
 * screen.
 */
function leadToFirstScreen(
  { baseUrl }: GatewayParts,
  answer: Response,
  signedIn: SignedIn,
): Response {
  const target = new URL(answer.headers.get("Location") ?? href("/login"), baseUrl);
  const next = safeRedirect(target.searchParams.get("redirect"));
  return redirect(firstScreenOf(signedIn, next), { headers: cookiesOf(answer.headers) });
}

/**
 * Adds the provider's e-mail to a redirect to the page for errors, because a visitor may have several accounts there.
 */
function tellRefused(
  { baseUrl }: GatewayParts,
  returned: ProviderReturn | undefined,
  answer: Response,
): Response {
  const target = new URL(answer.headers.get("Location") ?? "", baseUrl);
  const refused = returned?.refusedEmail;
  const email = refused ?? returned?.identity?.email;
  if (!email || target.pathname !== href("/login/error")) return answer;
  // better-auth says that there is no e-mail.
  if (refused) target.searchParams.set("error", DOMAIN_REFUSED);
  target.searchParams.set("email", email);
  return redirect(target.pathname + target.search, { headers: cookiesOf(answer.headers) });
}

/**
 * Redirects to the sign-in methods of the account screen with a toast when the linking of an account ends, with success
 * or an error. A failure without a return URL counts as linking when the user is signed in. Undefined for a sign-in.
 */
async function endLinking(
  { baseUrl }: GatewayParts,
  call: GatewayCall,
  answer: Response | GatewayRefusal,
  refusedEmail?: string,
): Promise<Response | undefined> {
  const target = new URL(answer.headers.get("Location") ?? href("/login/error"), baseUrl);
  const told = answer instanceof Response ? target.searchParams.get("error") : answer.code;
  const error = refusedEmail ? DOMAIN_REFUSED : told;
  if (target.searchParams.has(LINKING)) {
    if (error !== null) return refuse(target.pathname, error);
    log("info", "auth.linked", { request: call.info.id });
    const toast = { kind: "success", message: "account:linked.done" } as const;
    return redirectWithToast(`${target.pathname}#${METHODS_ID}`, toast, cookiesOf(answer.headers));
  }
  if (target.pathname !== href("/login/error")) return undefined;
  const current = await call.current().catch(() => undefined);
  if (!current) return undefined;
  const isManager = can(current.user, "apps", "manager");
  return refuse(href(isManager ? "/manager/account" : "/app/account"), error ?? "UNKNOWN_ERROR");

  function refuse(account: string, code: string): Response {
    const toast = { kind: "error", message: linkMessageFor(code) } as const;
    return redirectWithToast(`${account}#${METHODS_ID}`, toast, cookiesOf(answer.headers));
  }
}

/**
 * Redirects from a provider that does not vouch for the e-mail to the form for a code, as the login screen does: same
 * limits, and same answers for known and unknown mailboxes. If no code could be sent, the screen shows the reason and
 * offers to send one. Undefined when no code would help.
 */
async function askForProof(
  parts: GatewayParts,
  call: GatewayCall,
  identity: Identity,
  answer: Response,
): Promise<Response | undefined> {
  const target = new URL(answer.headers.get("Location") ?? "", parts.baseUrl);
  const email = Email.safeParse(identity?.email);
  if (!identity || !email.success) return undefined;
  if (!NEEDS_PROOF.includes(target.searchParams.get("error") ?? "")) return undefined;
  const next = safeRedirect(target.searchParams.get("redirect"));
  const search = new URLSearchParams({ ...(next && { redirect: next }), email: email.data });
  const verify = `${href("/login/verify")}?${search}`;
  const now = call.info.now();
  const headers = cookiesOf(answer.headers);
  const pending = { ...identity, email: email.data };
  headers.append("Set-Cookie", await pendingLinkCookie(parts, pending, now));
  const sent = await pass(parts, call, SEND_CODE_PATH, { email: email.data, redirect: next });
  if (sent.ok) {
    for (const cookie of sent.headers.getSetCookie()) headers.append("Set-Cookie", cookie);
    headers.append("Set-Cookie", await codeSentCookie(parts.keys, email.data, sent.body, now));
    return redirect(verify, { headers });
  }
  const message = messageForCode(sent.code, { ...sent, language: call.language });
  return redirectWithToast(verify, { kind: "error", message }, headers);
}
