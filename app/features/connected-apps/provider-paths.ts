import type { OpenCall } from "../../http/open-calls.ts";

/** URLs of the provider that apps call. Their pages for people are in `routes.ts`. */
const OAUTH = "/api/auth/oauth2";

export const PROVIDER = {
  authorize: `${OAUTH}/authorize`,
  token: `${OAUTH}/token`,
  userinfo: `${OAUTH}/userinfo`,
  introspect: `${OAUTH}/introspect`,
  revoke: `${OAUTH}/revoke`,
  endSession: `${OAUTH}/end-session`,
  /** Where a device without a browser begins. */
  device: `${OAUTH}/device`,
  /** Leads an app its user back who does not want to sign in. */
  cancel: `${OAUTH}/cancel`,
  /** Where an app registers itself. No page of another site may call it with its visitors' IP addresses. */
  register: `${OAUTH}/register`,
  jwks: "/api/auth/jwks",
  openId: "/.well-known/openid-configuration",
  oauth: "/.well-known/oauth-authorization-server",
} as const;

/**
 * Where the provider would send the browser. No page is there: `authorize` in
 * `routes/authorization.server.ts` reads what comes next from them.
 */
export const LOGIN_STEP = "/connected-apps/sign-in";
export const CONSENT_STEP = "/connected-apps/consent";

/** These need no cookie. A form of another site may lead to the last two, which ask again by GET. */
export const OPEN_CALLS: readonly OpenCall[] = [
  { path: PROVIDER.token },
  { path: PROVIDER.device },
  { path: PROVIDER.userinfo },
  { path: PROVIDER.introspect },
  { path: PROVIDER.revoke },
  { path: PROVIDER.jwks },
  { path: PROVIDER.openId },
  { path: PROVIDER.oauth },
  { path: PROVIDER.authorize, method: "POST" },
  { path: PROVIDER.endSession, method: "POST" },
];
