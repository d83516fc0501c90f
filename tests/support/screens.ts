import { ACCOUNT_SCREENS } from "./account-screens.ts";
import { APP_SCREENS } from "./app-screens.ts";
import { DEV_SCREENS } from "./dev-screens.ts";
import { LOGIN_SCREENS } from "./login-screens.ts";
import { MANAGER_SCREENS } from "./manager-screens.ts";
import { OFFICE_ORGANIZATION_SCREENS } from "./office-organization-screens.ts";
import { ORGANIZATION_SCREENS } from "./organization-screens.ts";
import { PALETTE_SCREENS } from "./palette-screens.ts";
import { SETTINGS_SCREENS } from "./settings-screens.ts";
import { STATE_SCREENS } from "./state-screens.ts";
import { USER_SCREENS } from "./user-screens.ts";
import type { Screen } from "./visit.ts";
import type { GatehouseOptions } from "./worker.ts";

/** All sign-in methods on, so that the login screen shows every button. The tests never call the providers. */
export const SETTINGS: GatehouseOptions = {
  vars: {
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
    OIDC_NAME: "Testpass",
    OIDC_DISCOVERY_URL: "http://127.0.0.1:1/.well-known/openid-configuration",
    OIDC_CLIENT_ID: "id",
    OIDC_CLIENT_SECRET: "secret",
  },
};

/** Every screen of the product, in each state that looks different. */
export const SCREENS: Screen[] = [
  ...LOGIN_SCREENS,
  ...APP_SCREENS,
  ...MANAGER_SCREENS,
  ...OFFICE_ORGANIZATION_SCREENS,
  ...USER_SCREENS,
  ...PALETTE_SCREENS,
  ...STATE_SCREENS,
  ...ACCOUNT_SCREENS,
  ...DEV_SCREENS,
  ...ORGANIZATION_SCREENS,
  ...SETTINGS_SCREENS,
];
