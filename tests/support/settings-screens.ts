import { signInAs } from "./e2e.ts";
import { newEmail } from "./people.ts";
import { go, type Screen, type Visit } from "./visit.ts";

/** Sign-up by invitation with a waiting list, and terms that no one has accepted. */
const GATED = {
  vars: {
    SIGN_UP_ENABLED: "false",
    TERMS_URL: "https://example.com/terms",
    PRIVACY_URL: "https://example.com/privacy",
    TERMS_VERSION: "2026-11",
  },
};

/** The screens of who may come in. */
export const SETTINGS_SCREENS: Screen[] = [
  {
    name: "login-gated",
    settings: GATED,
    async open(visit) {
      await offerWaitingList(visit);
      await go(visit.page, "/login");
    },
  },
  {
    name: "login-waiting-list",
    settings: GATED,
    async open(visit) {
      await offerWaitingList(visit);
      await go(visit.page, "/login/waiting-list");
    },
  },
  {
    name: "login-waiting-list-sent",
    settings: GATED,
    async open(visit) {
      await offerWaitingList(visit);
      await go(visit.page, "/login/waiting-list?sent=zuri%40example.com");
    },
  },
  {
    name: "onboarding-terms",
    settings: GATED,
    async open({ page, gatehouse, t }) {
      await signInAs(gatehouse, page.context(), { name: "", onboarded_at: null });
      await go(page, "/onboarding");
      await page.getByRole("button", { name: t("onboarding:continue") }).click();
      await page.getByText(t("validation:terms.required")).waitFor();
    },
  },
  {
    name: "terms",
    settings: GATED,
    async open({ page, gatehouse }) {
      await signInAs(gatehouse, page.context());
      await go(page, "/terms");
    },
  },
  {
    name: "manager-settings-access-refused",
    isLong: true,
    async open(visit) {
      await asAdmin(visit, "/manager/settings/access");
      const { page, t } = visit;
      await page.getByLabel(t("settings:emails.blocked")).fill("example");
      await page.getByRole("button", { name: t("settings:save"), exact: true }).click();
      await page.getByRole("alert").filter({ hasText: "example" }).waitFor();
    },
  },
  {
    name: "manager-waiting-list",
    open: (visit) => asAdmin(visit, "/manager/settings/waiting-list"),
  },
  {
    name: "manager-waiting-list-rows",
    async open(visit) {
      await insertRequests(visit);
      await asAdmin(visit, "/manager/settings/waiting-list");
    },
  },
];

async function asAdmin({ page, gatehouse }: Visit, path: string): Promise<void> {
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await go(page, path);
}

async function offerWaitingList({ gatehouse }: Visit): Promise<void> {
  await gatehouse.d1.exec("UPDATE site_setting SET has_waiting_list = 1");
}

async function insertRequests({ gatehouse }: Visit): Promise<void> {
  const now = Date.now();
  const insert = gatehouse.d1.prepare(
    "INSERT INTO waiting_list (id, email, language, created_at) VALUES (?, ?, ?, ?)",
  );
  await gatehouse.d1.batch(
    ["en", "fr", "ar", "sw"].map((language, index) =>
      insert.bind(crypto.randomUUID(), newEmail("zawadi"), language, now - index * 7_200_000),
    ),
  );
}
