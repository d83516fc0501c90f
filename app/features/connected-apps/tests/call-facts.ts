import { all, appScreen, open, row } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests, Shown } from "../../../../tests/support/feature-tests.ts";
import { screensOf, state } from "../../../../tests/support/screen.ts";
import { OWN_APP_ACTS } from "../acts.ts";
import { ConnectForm, DeviceForm } from "../input.ts";
import { APP_CALL_LIMITS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { APP_SCOPES } from "../scopes.ts";
import { aRegisteredApp } from "./apps.ts";
import { AFTER_SIGN_OUT, aParty, aUserCode, REDIRECT_URI } from "./relying-party.ts";

const API = "https://api.example.com/v1";
const CONNECT = "/app/connect";
const DEVICE = "/app/device";
const SIGN_OUT = "/app/connect/sign-out";
const ERROR = "/app/connect/error";
const UNKNOWN = `${ERROR}?error=invalid_client`;
const INVALID = `${ERROR}?error=invalid_request`;

/** What apps post. */
const CALLS = [
  ...[PROVIDER.authorize, PROVIDER.endSession, PROVIDER.token, PROVIDER.introspect],
  ...[PROVIDER.revoke, PROVIDER.userinfo, PROVIDER.device, PROVIDER.register],
];

type Ids = { party: string; stranger: string; userCode: string };

/** The URL with which an app asks that somebody sign in. */
export function askPath(page: string, clientId: string): string {
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
    [PROVIDER.cancel]: open(UNKNOWN, 405),
    [PROVIDER.endSession]: open(SIGN_OUT, SIGN_OUT),
    [PROVIDER.token]: open(405, 400),
    [PROVIDER.introspect]: open(405, 400),
    [PROVIDER.revoke]: open(405, 400),
    [PROVIDER.userinfo]: open(401, 401),
    [PROVIDER.device]: open(405, 400),
    [PROVIDER.register]: open(405, 404),
    [PROVIDER.jwks]: open(200, 405),
    [PROVIDER.openId]: open(200, 405),
    [PROVIDER.oauth]: open(200, 405),
    "/connected-apps/pictures/:id": open(404, 405),
    "/connected-apps/logos/:file": open(404, 405),
    [ERROR]: open(200, 405),
    [CONNECT]: appScreen(UNKNOWN, 415, {
      read: { impersonated: "/app" },
      write: { impersonated: "/app" },
    }),
    "/device": open(DEVICE, 405),
    [DEVICE]: appScreen(200, 415, {
      read: { impersonated: "/app" },
      write: { impersonated: "/app" },
    }),
    [SIGN_OUT]: row({ ...all(200), anonymous: "/login", banned: "/login" }, all(415)),
  },
  forms: {
    [CONNECT]: ConnectForm,
    [DEVICE]: DeviceForm,
    // Ends the person's own session.
    [SIGN_OUT]: [],
    // Answers to programs, which have no session.
    ...Object.fromEntries(CALLS.map((path) => [path, []])),
  },
  limits: {
    nobodyElse: {
      "API_LIMITS.calls":
        "Only calls of this app for this user, with a token that the user allowed, use it up.",
      "API_LIMITS.approvals":
        "Only apps that the user has allowed to act for them use it up; ending one's access ends that.",
      "DEVICE_CODE_LIMITS.wrongOfUser": "Only codes that the user has typed use it up.",
    },
    somebodyElse: {
      ...Object.fromEntries(
        Object.keys(APP_CALL_LIMITS).map((name) => [
          `APP_CALL_LIMITS.${name}`,
          "Somebody at the same address, who must send many calls a minute; an app's server has an address of its own.",
        ]),
      ),
      "REGISTRATION_LIMITS.calls":
        "Somebody at the same address, whose calls end with the minute. Apps that are known go on.",
      "REGISTRATION_LIMITS.apps":
        "Somebody in the same network, for an hour. Apps that are known go on.",
      "REGISTRATION_LIMITS.documents":
        "Somebody in the same network, for an hour. Apps that are known go on.",
      "REGISTRATION_LIMITS.documentsOfHost":
        "People of three networks, for new apps of one host and an hour. Those that are known go on.",
      "DEVICE_CODE_LIMITS.wrongOfAddress":
        "Five users at the same address who have used up their own limits. It ends guessing with many accounts, and takes an hour from command lines alone.",
    },
  },
  acts: {
    [CONNECT]: [
      [OWN_APP_ACTS["connect-app"], { intent: "allow" }],
      [OWN_APP_ACTS["connect-app"], { intent: "refuse" }],
    ],
    [DEVICE]: ["look", "allow", "refuse"].map((intent) => [
      OWN_APP_ACTS["sign-in-device"],
      { intent, userCode: "BCDF-GHJK" },
    ]),
    // Ends nothing but the person's own session.
    [SIGN_OUT]: [],
  },
  leftBehind: {
    "own:connect-app": "A yes to an app, which shows in the account and gives no right here.",
    "own:sign-in-device": "A yes to an app, which shows in the account and gives no right here.",
  },
  changes: {
    "the own account": [CONNECT, DEVICE],
    "a sign-in by code": [SIGN_OUT],
    nothing: CALLS,
  },
  fields: () => ({ organization: "", userCode: "BCDF-GHJK" }),
  openReads: [PROVIDER.jwks, PROVIDER.openId, PROVIDER.oauth],
  noCalls: Object.values(PROVIDER),
  async seed(gatehouse): Promise<Ids> {
    const { clientId } = await aParty(gatehouse, { name: "دكان الحي · Corner Shop" });
    const cli = await aParty(gatehouse, { name: "دكان الحي · Shop CLI", isPublic: true });
    const userCode = await aUserCode(gatehouse, cli);
    // A look at all screens takes longer than ten minutes.
    const late = Date.now() + 86_400_000;
    await gatehouse.d1
      .prepare("UPDATE oauth_device_code SET expires_at = ?, place = 'Nairobi, KE'")
      .bind(late)
      .run();
    const stranger = await aRegisteredApp(gatehouse, {
      name: "دفتر · Notebook",
      redirect_uris: JSON.stringify([REDIRECT_URI]),
      scopes: JSON.stringify(APP_SCOPES),
    });
    return { party: clientId, stranger: stranger.client_id, userCode };
  },
  screens: [
    ...screensOf<Ids>("owner", {
      "connect-app": ({ party }) => askPath(CONNECT, party),
      "connect-unchecked-app": ({ stranger }) => askPath(CONNECT, stranger),
      "device-code": `${DEVICE}?code=BCDF-GHJK`,
      "device-allowed": `${DEVICE}?done=allowed`,
      "device-refused": `${DEVICE}?done=refused`,
      "sign-out-of-app": ({ party }) =>
        `${SIGN_OUT}?${new URLSearchParams({ client_id: party, post_logout_redirect_uri: AFTER_SIGN_OUT })}`,
    }),
    state<Ids>(
      "device-question",
      "owner",
      ({ userCode }) => `${DEVICE}?code=${userCode}`,
      async (page, t) => {
        await page.getByRole("button", { name: t("connected-apps:device.continue") }).click();
        await page.getByText(t("connected-apps:device.warning")).waitFor();
      },
    ),
    ...screensOf<Ids>("anyone", {
      "app-error": `${ERROR}?error=invalid_redirect`,
      "login-to-app": ({ party }) =>
        `/login?${new URLSearchParams({ redirect: askPath(CONNECT, party) })}`,
    }),
  ],
  async translated({ gatehouse, ofUser }) {
    const { clientId } = await aParty(gatehouse, { name: "دكان", apis: [API] });
    const calling = `${askPath(CONNECT, clientId)}&${new URLSearchParams({ resource: API })}`;
    const cli = await aParty(gatehouse, { name: "دكان", isPublic: true });
    const userCode = await aUserCode(gatehouse, cli);
    const { client_id: stranger } = await aRegisteredApp(gatehouse, {
      name: "دفتر",
      redirect_uris: JSON.stringify([REDIRECT_URI]),
      scopes: JSON.stringify(APP_SCOPES),
    });
    return [
      ["app, connect", ofUser, (browser) => browser.get(askPath(CONNECT, clientId))],
      ["app, connect unchecked", ofUser, (browser) => browser.get(askPath(CONNECT, stranger))],
      ["app, connect and call a server", ofUser, (browser) => browser.get(calling)],
      ["app, sign-out", ofUser, (browser) => browser.get(`${SIGN_OUT}?client_id=${clientId}`)],
      ["app, device", ofUser, (browser) => browser.get(DEVICE)],
      [
        "app, device, wrong code",
        ofUser,
        (browser) => browser.submit(DEVICE, { intent: "look", userCode: "BCDF" }),
      ],
      [
        "app, device, question",
        ofUser,
        (browser) => browser.submit(DEVICE, { intent: "look", userCode }),
      ],
      ["app, device, allowed", ofUser, (browser) => browser.get(`${DEVICE}?done=allowed`)],
      ["app, device, refused", ofUser, (browser) => browser.get(`${DEVICE}?done=refused`)],
      ["app, error", ofUser, (browser) => browser.get(ERROR)],
      ...["document_unreachable", "document_invalid", "no_room"].map(
        (code): Shown => [
          `app, ${code}`,
          ofUser,
          (browser) => browser.get(`${ERROR}?error=${code}`),
        ],
      ),
    ];
  },
} satisfies FeatureTests<Ids>;
