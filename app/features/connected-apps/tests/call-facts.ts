import { all, appScreen, open, row } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import { OWN_APP_ACTS } from "../acts.ts";
import { ConnectForm } from "../input.ts";
import { APP_CALL_LIMITS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { AFTER_SIGN_OUT, aParty, REDIRECT_URI } from "./relying-party.ts";

const API = "https://api.example.com/v1";
const CONNECT = "/app/connect";
const SIGN_OUT = "/app/connect/sign-out";
const ERROR = "/app/connect/error";
const UNKNOWN = `${ERROR}?error=invalid_client`;
const INVALID = `${ERROR}?error=invalid_request`;

/** What apps post. */
const CALLS = [
  ...[PROVIDER.authorize, PROVIDER.endSession, PROVIDER.token, PROVIDER.introspect],
  ...[PROVIDER.revoke, PROVIDER.userinfo],
];

type Ids = { party: string };

/** The URL with which an app asks that somebody sign in. */
function askPath(page: string, clientId: string): string {
  const search = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: "openid profile email organization offline_access",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    state: "s",
  });
  return `${page}?${search}`;
}

/** The calls of apps, and the pages to which they lead people. */
export const callFacts = {
  access: {
    [PROVIDER.authorize]: open(UNKNOWN, INVALID),
    [PROVIDER.cancel]: open(INVALID, 405),
    [PROVIDER.endSession]: open(SIGN_OUT, SIGN_OUT),
    [PROVIDER.token]: open(405, 400),
    [PROVIDER.introspect]: open(405, 400),
    [PROVIDER.revoke]: open(405, 400),
    [PROVIDER.userinfo]: open(401, 401),
    [PROVIDER.jwks]: open(200, 405),
    [PROVIDER.openId]: open(200, 405),
    [PROVIDER.oauth]: open(200, 405),
    "/connected-apps/pictures/:id": open(404, 405),
    [ERROR]: open(200, 405),
    [CONNECT]: appScreen(UNKNOWN, 415, {
      read: { impersonated: "/app" },
      write: { impersonated: "/app" },
    }),
    [SIGN_OUT]: row({ ...all(200), anonymous: "/login", banned: "/login" }, all(415)),
  },
  forms: {
    [CONNECT]: ConnectForm,
    // Ends the person's own session.
    [SIGN_OUT]: [],
    // Answers to programs, which have no session.
    ...Object.fromEntries(CALLS.map((path) => [path, []])),
  },
  limits: {
    somebodyElse: Object.fromEntries(
      Object.keys(APP_CALL_LIMITS).map((name) => [
        `APP_CALL_LIMITS.${name}`,
        "Somebody at the same address, who must send hundreds of calls a minute; an app's server has an address of its own.",
      ]),
    ),
  },
  acts: {
    [CONNECT]: [
      [OWN_APP_ACTS["connect-app"], { intent: "allow" }],
      [OWN_APP_ACTS["connect-app"], { intent: "refuse" }],
    ],
    // Ends nothing but the person's own session.
    [SIGN_OUT]: [],
  },
  leftBehind: {
    "own:connect-app": "A yes to an app, which shows in the account and gives no right here.",
  },
  changes: {
    "the own account": [CONNECT],
    "a sign-in by code": [SIGN_OUT],
    nothing: CALLS,
  },
  fields: () => ({ organization: "" }),
  openReads: [PROVIDER.jwks],
  noCalls: Object.values(PROVIDER),
  async seed(gatehouse): Promise<Ids> {
    const { clientId } = await aParty(gatehouse, { name: "دكان الحي · Corner Shop" });
    return { party: clientId };
  },
  screens: [
    ...screensOf<Ids>("owner", {
      "connect-app": ({ party }) => askPath(CONNECT, party),
      "sign-out-of-app": ({ party }) =>
        `${SIGN_OUT}?${new URLSearchParams({ client_id: party, post_logout_redirect_uri: AFTER_SIGN_OUT })}`,
    }),
    ...screensOf<Ids>("anyone", {
      "app-error": `${ERROR}?error=invalid_redirect`,
      "login-to-app": ({ party }) =>
        `/login?${new URLSearchParams({ redirect: askPath(CONNECT, party) })}`,
    }),
  ],
  async translated({ gatehouse, ofUser }) {
    const { clientId } = await aParty(gatehouse, { name: "دكان", apis: [API] });
    const calling = `${askPath(CONNECT, clientId)}&${new URLSearchParams({ resource: API })}`;
    return [
      ["app, connect", ofUser, (browser) => browser.get(askPath(CONNECT, clientId))],
      ["app, connect and call a server", ofUser, (browser) => browser.get(calling)],
      ["app, sign-out", ofUser, (browser) => browser.get(`${SIGN_OUT}?client_id=${clientId}`)],
      ["app, error", ofUser, (browser) => browser.get(ERROR)],
    ];
  },
} satisfies FeatureTests<Ids>;
