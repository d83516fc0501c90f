import { appScreen, closed } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf, state } from "../../../../tests/support/screen.ts";
import { OWNED_APP_ACTS } from "../acts.ts";
import { AppForm, NewAppForm } from "../office-input.ts";
import { aConnection, allowOwnedApps, anApi, anApp } from "./apps.ts";
import { askPath } from "./call-facts.ts";
import { aParty } from "./relying-party.ts";

const APPS = "/app/organizations/:slug/apps";
const NEW_APP = `${APPS}/new`;
const APP = `${APPS}/:app`;
const LOGO = `${APP}/logo`;
const NONE = "/app/organizations/nothing-has-this/apps";

/** Fields that the forms of an app take. */
const FIELDS = {
  name: "Wiki",
  redirectUris: "https://wiki.example.com/callback",
  scopes: "profile",
};

type Ids = { ownedSlug: string; ownedApp: string; outside: string };

/** Apps of organizations. */
export const ownedFacts = {
  access: {
    [APPS]: appScreen(404, 405),
    [NEW_APP]: appScreen(404, 415, closed(`${NONE}/new`)),
    [APP]: appScreen(404, 415, closed(`${NONE}/nothing-has-this`)),
    [LOGO]: appScreen(404, 404, closed(`${NONE}/nothing-has-this/logo`)),
  },
  forms: { [NEW_APP]: NewAppForm, [APP]: AppForm, [LOGO]: [{}] },
  async fields(_aim, { d1, pattern, ids }) {
    if (!pattern.startsWith(APPS)) return {};
    const version = await d1
      .prepare("SELECT version FROM oauth_client WHERE id = ?")
      .bind(ids["/:slug/apps/:app"] ?? "")
      .first<number>("version");
    return {
      ...FIELDS,
      kind: "server",
      uri: "https://wiki.example.com/",
      afterSignOut: "https://wiki.example.com/",
      logoutUri: "https://wiki.example.com/logout",
      apis: "https://api.example.com/",
      skipConsent: "yes",
      version: String(version),
    };
  },
  acts: {
    [NEW_APP]: [[OWNED_APP_ACTS["create-app"], { ...FIELDS, kind: "server" }]],
    [APP]: [
      [OWNED_APP_ACTS["update-app"], { ...FIELDS, intent: "update", version: "1" }],
      [OWNED_APP_ACTS["rotate-app"], { intent: "rotate" }],
      [OWNED_APP_ACTS["disable-app"], { intent: "disable" }],
      [OWNED_APP_ACTS["enable-app"], { intent: "enable" }],
      [OWNED_APP_ACTS["delete-app"], { intent: "delete" }],
    ],
    [LOGO]: [[OWNED_APP_ACTS["logo-app"], { intent: "remove" }]],
  },
  changes: { "an organization": [NEW_APP, APP, LOGO] },
  changedByOwner: [NEW_APP, APP],
  async urls(gatehouse, organization): Promise<Record<string, string>> {
    await allowOwnedApps(gatehouse);
    if (!organization) return {};
    const { id } = await anApp(gatehouse, { organization_id: organization.id, name: "Hidden" });
    return { "/:slug/apps/:app": id };
  },
  async seed(gatehouse, { organization, owner }): Promise<Ids> {
    await allowOwnedApps(gatehouse);
    const app = await anApp(gatehouse, {
      name: "دفتر الميدان · Field notes",
      uri: "https://notes.nyumbani-cooperative.example.org/",
      organization_id: organization.id,
      created_by: owner.id,
    });
    await anApi(gatehouse, app, "https://notes.nyumbani-cooperative.example.org/api");
    await aConnection(gatehouse, app, owner, { reference_id: organization.id });
    await anApp(gatehouse, {
      name: "Archive",
      organization_id: organization.id,
      disabled: 1,
      disabled_by_site: 1,
    });
    const party = await aParty(gatehouse, {
      name: "دفتر الميدان · Field notes",
      organizationId: organization.id,
    });
    return { ownedSlug: organization.slug, ownedApp: app.id, outside: party.clientId };
  },
  screens: [
    ...screensOf<Ids>("owner", {
      "organization-apps": ({ ownedSlug }) => `/app/organizations/${ownedSlug}/apps`,
      "new-organization-app": ({ ownedSlug }) => `/app/organizations/${ownedSlug}/apps/new`,
      "organization-app": ({ ownedSlug, ownedApp }) =>
        `/app/organizations/${ownedSlug}/apps/${ownedApp}`,
      "organization-app-logo": ({ ownedSlug, ownedApp }) =>
        `/app/organizations/${ownedSlug}/apps/${ownedApp}/logo`,
      "edit-organization-app": ({ ownedSlug, ownedApp }) =>
        `/app/organizations/${ownedSlug}/apps/${ownedApp}?state=edit`,
      "connect-organization-app": ({ outside }) => askPath("/app/connect", outside),
    }),
    ...screensOf<Ids>("admin", {
      "app-of-organization": ({ ownedApp }) => `/manager/settings/apps/${ownedApp}`,
      "outside-of-app": ({ outside }) => askPath("/app/connect", outside),
    }),
  ],
  states: [
    state<Ids>(
      "made-organization-app",
      "owner",
      ({ ownedSlug }) => `/app/organizations/${ownedSlug}/apps/new`,
      async (page, t) => {
        await page.locator("#field-name").fill("Wiki");
        await page.locator("#field-redirectUris").fill("https://wiki.example.com/callback");
        await page.getByRole("button", { name: t("connected-apps:office.add") }).click();
        await page.locator("#field-secret").waitFor();
      },
    ),
  ],
  async translated({ gatehouse, organization, ofManager, ofUser }) {
    const list = `/app/organizations/${organization.slug}/apps`;
    const app = await anApp(gatehouse, {
      name: "zod-sample",
      organization_id: organization.id,
      disabled: 1,
      disabled_by_site: 1,
    });
    const one = `${list}/${app.id}`;
    const party = await aParty(gatehouse, { name: "دفتر", organizationId: organization.id });
    const asked = askPath("/app/connect", party.clientId);
    return [
      ["app, apps of an organization", ofUser, (browser) => browser.get(list)],
      ["app, an app of an organization", ofUser, (browser) => browser.get(one)],
      ["app, the logo of an app", ofUser, (browser) => browser.get(`${one}/logo`)],
      [
        "app, an app that a manager has switched off",
        ofUser,
        (browser) => browser.submit(one, { intent: "enable" }),
      ],
      [
        "app, a new app while managers allow none",
        ofUser,
        (browser) => browser.submit(`${list}/new`, { ...FIELDS, kind: "server" }),
      ],
      ["app, connect with an organization's app", ofUser, (browser) => browser.get(asked)],
      ["app, connect from outside", ofManager, (browser) => browser.get(asked)],
      [
        "manager, an app of an organization",
        ofManager,
        (browser) => browser.get(`/manager/settings/apps/${app.id}`),
      ],
    ];
  },
  limits: {
    nobodyElse: { "OWNED_APP_LIMITS.made": "Only the user's own new apps use it up." },
  },
} satisfies FeatureTests<Ids>;
