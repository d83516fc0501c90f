import { signInAs, watchesNetwork } from "./e2e.ts";
import { aUser, type Person } from "./people.ts";
import { go, type Screen, signedIn, type Visit } from "./visit.ts";

/** What stands around or instead of a screen: impersonation, errors, a lost network. */
export const STATE_SCREENS: Screen[] = [
  { name: "impersonating", open: (visit) => impersonating(visit) },
  {
    name: "impersonating-nameless",
    open: (visit) => impersonating(visit, { name: "", onboarded_at: null }),
  },
  {
    name: "impersonating-forbidden",
    async open(visit) {
      await impersonating(visit);
      await go(visit.page, "/manager");
    },
  },
  { name: "forbidden", open: (visit) => signedIn(visit, "/manager") },
  { name: "not-found", open: ({ page }) => go(page, "/nowhere") },
  { name: "app-not-found", open: (visit) => signedIn(visit, "/app/nowhere") },
  {
    name: "failed",
    settings: {},
    problem: "500 /app",
    async open(visit) {
      const { page, gatehouse } = visit;
      gatehouse.expectErrors("request.failed");
      await signInAs(gatehouse, page.context());
      await gatehouse.d1.exec("ALTER TABLE session RENAME TO session_away");
      try {
        await go(page, "/app");
      } finally {
        await gatehouse.d1.exec("ALTER TABLE session_away RENAME TO session");
      }
    },
  },
  {
    name: "offline",
    async open({ page, t }) {
      await go(page, "/login");
      await watchesNetwork(page);
      await page.context().setOffline(true);
      await page.getByText(t("common:network.offline")).waitFor();
    },
  },
  {
    name: "unsent",
    async open(visit) {
      await signedIn(visit, "/app/account?state=change-name");
      await watchesNetwork(visit.page);
      await visit.page.context().setOffline(true);
      await visit.page.getByText(visit.t("common:network.offline")).waitFor();
      await visit.page.getByRole("button", { name: visit.t("common:actions.save") }).click();
      await visit.page.getByText(visit.t("common:network.notSent")).waitFor();
    },
  },
];

/** Starts an impersonation from a user's screen. */
async function impersonating(visit: Visit, overrides: Partial<Person> = {}): Promise<void> {
  const { page, gatehouse, t } = visit;
  const { id } = await aUser(gatehouse, { name: "زهراء Zawadi", ...overrides });
  await signInAs(gatehouse, page.context(), { name: "Mona Manager", role: "admin" });
  await go(page, `/manager/users/${id}`);
  await page.getByRole("button", { name: t("users:impersonate.title") }).click();
  await page.getByRole("textbox", { name: t("users:impersonate.reason") }).fill("A slow list");
  await page.getByRole("button", { name: t("common:actions.confirm") }).click();
  await page.getByRole("button", { name: t("common:impersonation.stop") }).waitFor();
}
