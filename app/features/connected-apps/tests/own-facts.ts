import { appScreen, managerScreen } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { USER_APP_ACTS } from "../acts.ts";
import { EndForm, OwnEndForm } from "../input.ts";
import { aConsent, anAccessToken, anApp, aRefreshToken } from "./apps.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const OWN = "/app/account/apps";
const OF_MANAGER = "/manager/account/apps";
const OF_USER = "/manager/users/:id/apps";
const NOBODY = "nobody-has-this";

type Ids = { connectedUser: string };

/** What people and managers see of connected apps. */
export const ownFacts = {
  access: {
    [OWN]: appScreen(200, 415, {
      read: { impersonated: "/app/account" },
      write: { impersonated: OWN },
    }),
    [OF_MANAGER]: managerScreen(200, 415),
    [OF_USER]: managerScreen("/manager/users/nothing-has-this?tab=sessions", 415, {
      write: { auditor: 403 },
    }),
  },
  managers: {
    [OF_MANAGER]: ["admin", "support", "auditor"],
    [OF_USER]: ["admin", "support", "auditor"],
  },
  forms: { [OWN]: OwnEndForm, [OF_MANAGER]: OwnEndForm, [OF_USER]: EndForm },
  acts: { [OF_USER]: [[USER_APP_ACTS["end-app"], { app: NOBODY }]] },
  fields: () => ({ app: NOBODY }),
  leftBehind: { "user:end-app": "Nothing." },
  changes: {
    "the own account": [OWN, OF_MANAGER],
    "the back-office": [OF_USER],
  },
  tables: ["oauth_consent", "oauth_refresh_token", "oauth_access_token"],
  async seed(gatehouse, { organization, owner }): Promise<Ids> {
    const now = Date.now();
    const ledger = await anApp(gatehouse, {
      name: "دفتر الحسابات · Ledger",
      uri: "https://ledger.example.com/",
    });
    await aConsent(gatehouse, owner, ledger, {
      reference_id: organization.id,
      scopes: '["openid","profile","email","organization","offline_access"]',
      updated_at: now - 40 * DAY_MS,
    });
    await aRefreshToken(gatehouse, owner, ledger, {
      reference_id: organization.id,
      created_at: now - 2 * HOUR_MS,
    });
    const wiki = await anApp(gatehouse, { name: "Wiki", skip_consent: 1 });
    await aRefreshToken(gatehouse, owner, wiki);
    const planner = await anApp(gatehouse, { name: "Planner", uri: null });
    await aConsent(gatehouse, owner, planner, { scopes: '["openid"]' });
    return { connectedUser: owner.id };
  },
  screens: [
    ...screensOf<Ids>("owner", { "own-apps": OWN }),
    ...screensOf<Ids>("admin", {
      "no-own-apps": OF_MANAGER,
      "apps-of-user": ({ connectedUser }) => `/manager/users/${connectedUser}?tab=sessions`,
    }),
  ],
  async translated({ gatehouse, organization, ofManager, ofUser }) {
    const owner = await ownerOf(gatehouse, organization);
    const told = { reference_id: organization.id, scopes: '["openid","organization"]' };
    const asked = await anApp(gatehouse, { name: "دفتر" });
    await aConsent(gatehouse, owner, asked, told);
    const unasked = await anApp(gatehouse, { name: "مخطط", skip_consent: 1 });
    await aRefreshToken(gatehouse, owner, unasked);
    return [
      ["app, account, connected apps", ofUser, (browser) => browser.get(OWN)],
      ["manager, account, no connected apps", ofManager, (browser) => browser.get(OF_MANAGER)],
      [
        "manager, apps of a user",
        ofManager,
        (browser) => browser.get(`/manager/users/${owner.id}?tab=sessions`),
      ],
    ];
  },
  personal: [
    ...["oauth_client", "oauth_consent", "oauth_refresh_token", "oauth_access_token"],
    ...["oauth_device_code", "oauth_session_app", "oauth_logout"],
  ],
  async know(insert, { id, at, key }) {
    await insert("oauth_client", {
      id: key("client"),
      client_id: key("client-id"),
      client_secret: key("client-secret"),
      name: "Ledger",
      redirect_uris: "[]",
      post_logout_redirect_uris: "[]",
      scopes: "[]",
      token_endpoint_auth_method: "client_secret_basic",
      application_type: "web",
      grant_types: "[]",
      response_types: "[]",
      created_by: id,
      created_at: at,
      updated_at: at,
    });
    const given = {
      client_id: key("client-id"),
      user_id: id,
      scopes: '["openid","email"]',
      created_at: at,
    };
    await insert("oauth_consent", { ...given, id: key("consent"), updated_at: at });
    const token = { ...given, expires_at: at + 60_000 };
    await insert("oauth_refresh_token", {
      ...token,
      id: key("refresh-token"),
      token: key("app-refresh"),
    });
    await insert("session", {
      id: key("device-session"),
      token: key("device-session-token"),
      user_id: id,
      expires_at: at + 60_000,
      created_at: at,
      updated_at: at,
    });
    await insert("oauth_device_code", {
      ...given,
      id: key("device"),
      device_code: key("device-code"),
      user_code: key("user-code"),
      status: "approved",
      session_id: key("device-session"),
      auth_time: at,
      place: "Nairobi, KE",
      user_agent: "node",
      interval_ms: 5_000,
      expires_at: at + 60_000,
    });
    await insert("oauth_session_app", {
      session_id: key("device-session"),
      client_id: key("client-id"),
      created_at: at,
    });
    await insert("oauth_access_token", {
      ...token,
      id: key("access-token"),
      token: key("app-access"),
      refresh_id: key("refresh-token"),
    });
  },
  leftOpen: {
    async leave(gatehouse, { user, organization }) {
      const app = await anApp(gatehouse);
      const appToken = await aRefreshToken(gatehouse, user, app);
      await anAccessToken(gatehouse, user, app, { refresh_id: appToken });
      const told = { reference_id: organization.id };
      return { appToken, companyAppToken: await aRefreshToken(gatehouse, user, app, told) };
    },
    probes: {
      "an app": {
        works: (gatehouse, { appToken }) => isThere(gatehouse, appToken),
        endsBy: [
          "a ban",
          "the end of all sessions",
          "the grace period of a deletion",
          "the erasure of the account",
        ],
      },
      "an app that was told of the organization": {
        works: (gatehouse, { companyAppToken }) => isThere(gatehouse, companyAppToken),
        endsBy: [
          "a ban",
          "a removal from the organization",
          "the end of all sessions",
          "the grace period of a deletion",
          "the erasure of the account",
        ],
      },
    },
  },
} satisfies FeatureTests<Ids>;

async function isThere({ d1 }: Gatehouse, id: string | undefined): Promise<boolean> {
  const found = d1.prepare("SELECT 1 FROM oauth_refresh_token WHERE id = ?").bind(id ?? "");
  return (await found.first()) !== null;
}

/** Returns who owns an organization. */
export async function ownerOf({ d1 }: Gatehouse, { id }: { id: string }): Promise<{ id: string }> {
  const owner = await d1
    .prepare("SELECT user_id AS id FROM member WHERE organization_id = ? AND role = 'owner'")
    .bind(id)
    .first<{ id: string }>();
  if (!owner) throw new Error(`The organization ${id} has no owner`);
  return owner;
}
