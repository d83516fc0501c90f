import type { Page } from "@playwright/test";
import { hydrated, watchesNetwork } from "./e2e.ts";
import { FEATURE_TESTS } from "./feature-tests.ts";
import {
  type Screen as ScreenWith,
  type Setting,
  screensOf as screensWith,
  state as stateWith,
  type Translate,
} from "./screen.ts";
import { fillForScreens, type Seeded } from "./seeded.ts";
import { type GatehouseOptions, startGatehouse } from "./worker.ts";

type Ids = Seeded["ids"];
export type Screen = ScreenWith<Ids>;
const screensOf = screensWith<Ids>;
const state = stateWith<Ids>;

const SETTINGS = {
  /** All sign-in methods on, so that the login screen shows every button. The tests never call the providers. */
  usual: {
    mail: "local",
    vars: {
      GITHUB_CLIENT_ID: "id",
      GITHUB_CLIENT_SECRET: "secret",
      GOOGLE_CLIENT_ID: "id",
      GOOGLE_CLIENT_SECRET: "secret",
      MICROSOFT_CLIENT_ID: "id",
      MICROSOFT_CLIENT_SECRET: "secret",
      APPLE_CLIENT_ID: "id",
      APPLE_TEAM_ID: "team",
      APPLE_KEY_ID: "key",
      APPLE_PRIVATE_KEY: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
      OIDC_NAME: "Testpass",
      OIDC_DISCOVERY_URL: "http://127.0.0.1:1/.well-known/openid-configuration",
      OIDC_CLIENT_ID: "id",
      OIDC_CLIENT_SECRET: "secret",
    },
  },
  /** Sign-up by invitation, terms that someone has not accepted, passkeys for managers. */
  gated: {
    vars: {
      SIGN_UP_ENABLED: "false",
      ENVIRONMENT_NAME: "staging",
      TERMS_URL: "https://example.com/terms",
      PRIVACY_URL: "https://example.com/privacy",
      TERMS_VERSION: "2026-11",
    },
  },
  demo: { vars: { DEMO: "true" } },
} satisfies Record<Setting, GatehouseOptions>;

/** SQL that completes the settings. */
const SITE_SETTINGS: Partial<Record<Setting, string>> = {
  gated: "UPDATE site_setting SET manager_passkeys_since = 1",
};

/** Every screen of the product, opened by its URL. */
export const SCREENS: Screen[] = [
  ...screensOf("anyone", {
    login: "/login",
    verify: "/login/verify?email=zuri%40example.com",
    "sign-up-disabled": "/login/error?error=signup_disabled&email=zuri%40example.com",
    "access-denied": "/login/error?error=access_denied",
    invitation: ({ invitation }) => `/invitations/${invitation}`,
    "expired-invitation": ({ expiredInvitation }) => `/invitations/${expiredInvitation}`,
    "not-found": "/nowhere",
    inbox: "/dev/inbox",
    mails: "/dev/mails",
  }),
  ...screensOf("newcomer", { onboarding: "/onboarding" }),
  ...screensOf("leaving", { restore: "/restore" }),
  ...screensOf("guest", {
    "guest-organizations": "/app/organizations",
    "own-invitation": ({ ownInvitation }) => `/invitations/${ownInvitation}`,
    "no-invitation-link": "/invitations/links/none",
    "foreign-invitation": ({ invitation }) => `/invitations/${invitation}`,
    "guest-members": ({ slug }) => `/app/organizations/${slug}/members`,
    forbidden: "/manager",
  }),
  ...screensOf("owner", {
    app: "/app",
    "app-not-found": "/app/nowhere",
    organizations: "/app/organizations",
    "new-organization": "/app/organizations/new",
    organization: ({ slug }) => `/app/organizations/${slug}`,
    members: ({ slug }) => `/app/organizations/${slug}/members`,
    invitations: ({ slug }) => `/app/organizations/${slug}/invitations?invite`,
    "organization-settings": ({ slug }) => `/app/organizations/${slug}/settings`,
    "organization-logo": ({ slug }) => `/app/organizations/${slug}/logo`,
    account: "/app/account",
    "change-name": "/app/account?state=change-name",
    "add-passkey": "/app/account?state=add-passkey",
    "name-passkey": "/app/account?state=name-passkey&passkey=bound",
    "change-email": "/app/account?newEmail=zawadi%40example.com",
    "confirm-account": "/app/account/confirm",
    picture: "/app/account/picture",
    "delete-account": "/app/account/delete",
  }),
  ...screensOf("admin", {
    dashboard: "/manager/dashboard?days=90",
    users: "/manager/users",
    "no-users": "/manager/users?searchTerm=nothing+like+this",
    "new-user": "/manager/users/new",
    user: ({ user }) => `/manager/users/${user}`,
    "user-sessions": ({ owner }) => `/manager/users/${owner}?tab=sessions`,
    "user-mails": ({ refusing }) => `/manager/users/${refusing}?tab=emails`,
    "user-audit": ({ owner }) => `/manager/users/${owner}?tab=activity&side=by`,
    "banned-user": ({ banned }) => `/manager/users/${banned}`,
    "update-user": ({ owner }) => `/manager/users/${owner}/update`,
    "all-organizations": "/manager/organizations",
    "new-organization-for-others": "/manager/organizations/new",
    "an-organization": ({ organization }) => `/manager/organizations/${organization}`,
    "disabled-organization": ({ disabled }) => `/manager/organizations/${disabled}`,
    audit: "/manager/audit",
    mail: "/manager/mail",
    "sign-ins": "/manager/mail/sign-in",
    "a-sign-in": ({ refusing }) => `/manager/mail/sign-in?email=${refusing}`,
    settings: "/manager/settings",
    access: "/manager/settings/access",
    security: "/manager/settings/security",
    brand: "/manager/settings/brand",
    system: "/manager/settings/system",
    "manager-account": "/manager/account",
    "manager-confirm": "/manager/account/confirm",
    "manager-picture": "/manager/account/picture",
    "manager-delete": "/manager/account/delete",
    "manager-not-found": "/manager/nowhere",
  }),
  ...screensOf("anyone", { "gated-login": "/login" }, "gated"),
  ...screensOf("unasked", { terms: "/terms" }, "gated"),
  ...screensOf("newcomer", { "onboarding-with-terms": "/onboarding" }, "gated"),
  ...screensOf("admin", { passkey: "/manager/passkey" }, "gated"),
  ...FEATURE_TESTS.flatMap(({ screens = [] }) => screens),
];

/** What a screen's URL does not show: something was opened, chosen or refused. */
export const STATES: Screen[] = [
  state("login-invalid", "anyone", "/login", async (page, t) => {
    await page.getByLabel(t("login:email")).fill("zawadi at example");
    await page.getByRole("button", { name: t("login:withEmail") }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: t("validation:email.invalid") })
      .waitFor();
  }),
  state("login-used-last", "anyone", "/login", async (page) => {
    const { origin } = new URL(page.url());
    const cookie = { name: "gatehouse.method", value: "microsoft", url: origin };
    await page.context().addCookies([cookie]);
    await page.reload();
    await hydrated(page);
  }),
  state("preferences-menu", "anyone", "/login", (page, t) =>
    page.getByRole("button", { name: t("common:account.preferences") }).click(),
  ),
  state("offline", "anyone", "/login", async (page, t) => {
    await watchesNetwork(page);
    await page.context().setOffline(true);
    await page.getByText(t("common:network.offline")).waitFor();
  }),
  state("account-menu", "owner", "/app", (page, t) =>
    page.getByRole("button", { name: t("common:account.menu") }).click(),
  ),
  state("filters", "admin", "/manager/users?role=admin&status=active", (page, t) =>
    page.getByRole("button", { name: t("common:list.filters"), exact: true }).click(),
  ),
  state("role-matrix", "admin", "/manager/settings/security", (page, t) =>
    page.getByRole("heading", { name: t("settings:roles.title") }).click(),
  ),
  state("chosen-rows-question", "admin", "/manager/users", async (page, t) => {
    const boxes = page.getByRole("row").locator('input[name="id"]');
    for (let index = 0; index < 3; index++) await boxes.nth(index).check();
    await page.getByRole("button", { name: t("users:ban.title"), exact: true }).click();
    await page.getByRole("alertdialog").waitFor();
  }),
  state(
    "ban-until-a-day",
    "admin",
    ({ user }) => `/manager/users/${user}`,
    async (page, t) => {
      await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
      await page.getByRole("button", { name: t("users:ban.title") }).click();
      await page.getByLabel(t("users:ban.duration")).selectOption("date");
      await page.getByRole("button", { name: t("common:datePicker.pick") }).click();
      await page.getByRole("grid").waitFor();
    },
  ),
  state("organization-invalid", "owner", "/app/organizations/new", async (page, t) => {
    await page.getByRole("button", { name: t("organizations:create") }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: t("validation:name.required") })
      .waitFor();
  }),
  ...FEATURE_TESTS.flatMap(({ states = [] }) => states),
];

/** Opens a screen in a page of the seeded product. */
export async function openScreen(
  page: Page,
  { as, path, act }: Screen,
  { origin, seeded, t }: { origin: string; seeded: Seeded; t: Translate },
): Promise<void> {
  if (as !== "anyone") {
    const cookies = [...seeded.browsers[as].cookies];
    await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
  }
  await page.goto(path(seeded.ids));
  await hydrated(page);
  await act?.(page, t);
}

/** Starts the product with everything that its screens can show. */
export async function startSeeded(setting: Setting, isAlone = false) {
  const gatehouse = await startGatehouse({ ...SETTINGS[setting], isAlone });
  const ofFeatures = FEATURE_TESTS.map(({ settings }) => settings?.[setting]);
  for (const completion of [SITE_SETTINGS[setting], ...ofFeatures]) {
    if (completion) await gatehouse.d1.exec(completion);
  }
  const seeded = await fillForScreens(gatehouse);
  return { ...gatehouse, seeded };
}
