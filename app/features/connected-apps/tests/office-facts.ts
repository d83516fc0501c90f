import {
  ADMIN_ONLY,
  managerScreen,
  READ_BY_AUDITOR,
} from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf, state } from "../../../../tests/support/screen.ts";
import { APP_ACTS } from "../acts.ts";
import { hashSecret, rotated } from "../client-secret.ts";
import { AppForm, AppSettingsForm, NewAppForm, RegistrationForm } from "../office-input.ts";
import { aConnection, anApi, anApp, aRegisteredApp } from "./apps.ts";

const APPS = "/manager/settings/apps";
const NEW_APP = `${APPS}/new`;
const APP = `${APPS}/:id`;
const LOGO = `${APP}/logo`;
const REGISTRATION = `${APPS}/registration`;

/** Fields that the forms of an app take. */
const FIELDS = {
  name: "Help desk",
  redirectUris: "https://help.example.com/callback",
  scopes: "profile",
};

type Ids = { app: string; oldApp: string; ownApp: string };

/** The back-office of apps. */
export const officeFacts = {
  access: {
    [APPS]: managerScreen(200, 415, READ_BY_AUDITOR),
    [NEW_APP]: managerScreen(200, 415, ADMIN_ONLY),
    [APP]: managerScreen(404, 415, READ_BY_AUDITOR),
    [LOGO]: managerScreen(404, 404, ADMIN_ONLY),
    [REGISTRATION]: managerScreen(200, 415, READ_BY_AUDITOR),
  },
  managers: {
    [APPS]: ["admin", "auditor"],
    [NEW_APP]: ["admin"],
    [APP]: ["admin", "auditor"],
    [LOGO]: ["admin"],
    [REGISTRATION]: ["admin", "auditor"],
  },
  commands: [
    ["add an app", NEW_APP, { name: "" }, ["admin"]],
    ["change an app", `${APPS}/none`, { intent: "update", name: "" }, ["admin"]],
    ["change the rules for apps", APPS, { intent: "settings" }, ["admin"]],
    ["let apps register themselves", REGISTRATION, { version: "x" }, ["admin"]],
    ["delete an app", `${APPS}/none`, { intent: "delete" }, ["admin"]],
  ],
  forms: {
    [APPS]: AppSettingsForm,
    [NEW_APP]: NewAppForm,
    [APP]: AppForm,
    [LOGO]: [{}],
    [REGISTRATION]: RegistrationForm,
  },
  async fields(_aim, { d1, pattern, ids }) {
    if (!pattern.startsWith(APPS)) return { kind: "server", organizationApps: "yes" };
    if (pattern === REGISTRATION) {
      const stored = await d1
        .prepare("SELECT version FROM oauth_registration_setting")
        .first<number>("version");
      return { byCall: "yes", byDocument: "yes", scopes: "email", version: String(stored) };
    }
    const version = await (pattern === APPS
      ? d1.prepare("SELECT version FROM oauth_setting")
      : d1
          .prepare("SELECT version FROM oauth_client WHERE id = ?")
          .bind(ids["/settings/apps/:id"] ?? "")
    ).first<number>("version");
    return {
      ...FIELDS,
      kind: "server",
      uri: "https://help.example.com/",
      afterSignOut: "https://help.example.com/",
      logoutUri: "https://help.example.com/logout",
      apis: "https://api.example.com/",
      skipConsent: "yes",
      organizationApps: "yes",
      version: String(version),
    };
  },
  acts: {
    [APPS]: [[APP_ACTS.settings, { intent: "settings", version: "1" }]],
    [NEW_APP]: [[APP_ACTS.create, { ...FIELDS, kind: "server" }]],
    [APP]: [
      [APP_ACTS.update, { ...FIELDS, intent: "update", version: "1" }],
      [APP_ACTS.rotate, { intent: "rotate" }],
      [APP_ACTS.disable, { intent: "disable" }],
      [APP_ACTS.enable, { intent: "enable" }],
      [APP_ACTS.delete, { intent: "delete" }],
    ],
    [LOGO]: [[APP_ACTS.logo, { intent: "remove" }]],
    [REGISTRATION]: [[APP_ACTS["save-registration"], { byCall: "yes", version: "1" }]],
  },
  changes: {
    "the back-office": [APPS, NEW_APP, APP, LOGO, REGISTRATION],
  },
  tables: ["oauth_client", "oauth_setting", "oauth_registration_setting"],
  urls: async (gatehouse) => ({ "/settings/apps/:id": (await anApp(gatehouse)).id }),
  async seed(gatehouse, { owner }): Promise<Ids> {
    const app = await anApp(gatehouse, {
      name: "Nyumbani help desk",
      uri: "https://help.nyumbani-cooperative.example.org/",
      redirect_uris: JSON.stringify([
        "https://help.nyumbani-cooperative.example.org/a/rather/long/path/to/the/callback",
        "http://localhost:3000/callback",
      ]),
      post_logout_redirect_uris: '["https://help.nyumbani-cooperative.example.org/"]',
      logout_uri: "https://help.nyumbani-cooperative.example.org/signed-out",
      logout_tried_at: Date.now() - 3_600_000,
      logout_answer: "timeout",
      scopes: '["openid","profile","email","organization","offline_access"]',
      client_secret: await rotated(await hashSecret("old"), "new", new Date()),
    });
    await anApi(gatehouse, app, "https://api.nyumbani-cooperative.example.org/v1");
    await aConnection(gatehouse, app, owner);
    const old = await anApp(gatehouse, {
      name: "مكتبة الصور",
      token_endpoint_auth_method: "none",
      application_type: "native",
      client_secret: null,
      redirect_uris: '["com.example.photos:/callback"]',
      skip_consent: 1,
      disabled: 1,
    });
    const own = await aRegisteredApp(gatehouse, {
      name: "Notebook assistant with a rather long name of its own",
      redirect_uris: '["http://127.0.0.1/callback"]',
    });
    return { app: app.id, oldApp: old.id, ownApp: own.id };
  },
  screens: screensOf<Ids>("admin", {
    "connected-apps": APPS,
    "new-connected-app": NEW_APP,
    "connected-app": ({ app }) => `${APPS}/${app}`,
    "connected-app-logo": ({ app }) => `${APPS}/${app}/logo`,
    "edit-connected-app": ({ app }) => `${APPS}/${app}?state=edit`,
    "app-registration": REGISTRATION,
    "self-registered-app": ({ ownApp }) => `${APPS}/${ownApp}`,
    "self-registered-apps": `${APPS}?maker=themselves`,
    "switched-off-app": ({ oldApp }) => `${APPS}/${oldApp}`,
  }),
  states: [
    state<Ids>("made-app", "admin", NEW_APP, async (page, t) => {
      await page.locator("#field-name").fill("Wiki");
      await page.locator("#field-redirectUris").fill("https://wiki.example.com/callback");
      await page.getByRole("button", { name: t("connected-apps:office.add") }).click();
      await page.locator("#field-secret").waitFor();
    }),
  ],
  async translated({ gatehouse, manager, ofManager }) {
    const { id } = await anApp(gatehouse, {
      name: "zod-sample",
      uri: "https://zod.example/zod",
      client_secret: await rotated(await hashSecret("old"), "new", new Date()),
      created_by: manager.id,
    });
    const none = await anApp(gatehouse, {
      name: "zod-sample",
      token_endpoint_auth_method: "none",
      client_secret: null,
      disabled: 1,
    });
    const own = await aRegisteredApp(gatehouse, { name: "zod-sample" });
    const one = `${APPS}/${id}`;
    const bad = { ...FIELDS, name: "zod-sample", uri: "x", redirectUris: "http://x.example/" };
    return [
      ["manager, apps", ofManager, (browser) => browser.get(APPS)],
      ["manager, own apps", ofManager, (browser) => browser.get(`${APPS}?maker=themselves`)],
      ["manager, an own app", ofManager, (browser) => browser.get(`${APPS}/${own.id}`)],
      ["manager, registration of apps", ofManager, (browser) => browser.get(REGISTRATION)],
      [
        "manager, registration that was changed meanwhile",
        ofManager,
        (browser) => browser.submit(REGISTRATION, { byCall: "yes", version: "0" }),
      ],
      ["manager, no such app", ofManager, (browser) => browser.get(`${APPS}?searchTerm=xqz`)],
      ["manager, a new app", ofManager, (browser) => browser.get(NEW_APP)],
      ["manager, a bad app", ofManager, (browser) => browser.submit(NEW_APP, bad)],
      ["manager, an app", ofManager, (browser) => browser.get(one)],
      ["manager, the logo of an app", ofManager, (browser) => browser.get(`${one}/logo`)],
      ["manager, the form of an app", ofManager, (b) => b.get(`${one}?state=edit`)],
      ["manager, an app switched off", ofManager, (b) => b.get(`${APPS}/${none.id}`)],
      [
        "manager, an app that was changed meanwhile",
        ofManager,
        (browser) => browser.submit(one, { ...FIELDS, intent: "update", version: "0" }),
      ],
      [
        "manager, an app with a new secret",
        ofManager,
        (browser) => browser.submit(one, { intent: "rotate" }),
      ],
    ];
  },
} satisfies FeatureTests<Ids>;
