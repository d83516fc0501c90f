import { expect, type Page } from "@playwright/test";
import { createDb } from "../../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../../app/features/demo/sample-data.server.ts";
import { seed } from "../../app/features/demo/seed.server.ts";
import { signInAs } from "./e2e.ts";
import { insertRows } from "./insert.ts";
import { aUser, newEmail } from "./people.ts";
import {
  askForCode,
  go,
  type Screen,
  signedIn,
  signedInAtFirst,
  signedInWithSamples,
  type Visit,
} from "./visit.ts";
import type { Gatehouse } from "./worker.ts";

const DAY_MS = 86_400_000;

/** The back-office's dashboard, lists and repositories. */
export const MANAGER_SCREENS: Screen[] = [
  {
    name: "manager-dashboard",
    async open(visit) {
      await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
      await addBusyDays(visit.gatehouse);
      await visit.gatehouse.runScheduled();
      await signedIn(visit, "/manager/dashboard?days=90", "admin");
      const days = visit.page.getByRole("group", {
        name: visit.t("manager:dashboard.chart.columns"),
      });
      await days.getByRole("img").last().focus();
    },
  },
  {
    name: "manager-dashboard-quiet",
    open: (visit) => signedInWithSamples(visit, "/manager/dashboard"),
  },
  {
    name: "manager-sidebar-collapsed",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/dashboard");
      const sidebar = visit.page.getByRole("checkbox", {
        name: visit.t("manager:sidebar.collapse"),
      });
      // A phone shows a drawer instead.
      if (await sidebar.isVisible()) {
        await sidebar.press("Space");
        return;
      }
      await visit.page.getByRole("button", { name: visit.t("manager:sidebar.open") }).click();
    },
  },
  ...Object.entries({
    "manager-repositories": "/manager/repositories",
    "manager-repositories-none": "/manager/repositories?searchTerm=nothing+like+this",
    "manager-repository-new": "/manager/repositories/new",
    "manager-users": "/manager/users",
    "manager-user-new": "/manager/users/new",
    "manager-organizations": "/manager/organizations",
    "manager-organizations-filtered": "/manager/organizations?state=disabled",
    "manager-organization-new": "/manager/organizations/new",
    "manager-audit": "/manager/audit",
    "manager-mail": "/manager/mail",
    "manager-system": "/manager/system",
  }).map(([name, path]) => ({ name, open: (visit: Visit) => signedInWithSamples(visit, path) })),
  {
    name: "manager-settings-access",
    isLong: true,
    open: (visit) => signedInWithSamples(visit, "/manager/settings/access"),
  },
  {
    name: "manager-settings-roles",
    open: (visit) => signedInWithSamples(visit, "/manager/settings/roles"),
  },
  {
    name: "manager-settings-brand",
    open: (visit) => signedInWithSamples(visit, "/manager/settings/brand"),
  },
  {
    name: "manager-audit-details",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/audit");
      await visit.page.getByLabel(visit.t("common:list.details")).first().click();
    },
  },
  {
    name: "manager-mail-rows",
    async open(visit) {
      const email = newEmail("zawadi");
      await aUser(visit.gatehouse, { email });
      await askForCode(visit, email);
      await signedInWithSamples(visit, "/manager/mail");
      await visit.page.getByLabel(visit.t("common:list.details")).first().click();
    },
  },
  {
    name: "manager-users-selected",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/users");
      await chooseRows(visit.page, 3);
    },
  },
  {
    name: "manager-users-question",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/users");
      await chooseRows(page, 3);
      await page.getByRole("button", { name: t("users:ban.title"), exact: true }).click();
    },
  },
  {
    name: "manager-users-report",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/users");
      await chooseRows(page, 4);
      await page.getByRole("button", { name: t("users:bulk.setRole") }).click();
      const question = page.getByRole("alertdialog");
      await question.getByRole("checkbox", { name: t("users:roles.support") }).check();
      await question.getByRole("button", { name: t("common:actions.confirm") }).click();
      await page.getByRole("link", { name: t("common:selection.dismiss") }).waitFor();
    },
  },
  {
    name: "manager-users-loading",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/users");
      // The request is never answered, so the list keeps loading.
      await page.route("**/manager/users.data*", () => {});
      await page.getByRole("searchbox").fill("ada");
      await page.locator('table[aria-busy="true"]').waitFor();
      await expect(page.getByRole("progressbar", { name: t("common:loading") })).toBeVisible();
    },
  },
  {
    name: "manager-users-failed",
    settings: {},
    problem: "500 /manager/users",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      gatehouse.expectErrors("request.failed");
      await signInAs(gatehouse, page.context(), { role: "admin" });
      await page.route("**/manager/users", (route) =>
        route.continue({ headers: { ...route.request().headers(), "x-d1-fault": "2 before" } }),
      );
      await go(page, "/manager/users");
      await page.getByRole("link", { name: t("common:actions.retry") }).waitFor();
    },
  },
  {
    name: "manager-repositories-selected",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/repositories");
      await chooseRows(visit.page, 2);
    },
  },
  {
    name: "manager-repositories-report",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/repositories");
      await chooseRows(page, 2);
      await page.getByRole("button", { name: t("common:actions.delete"), exact: true }).click();
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: t("common:actions.confirm") })
        .click();
      await page.getByRole("button", { name: t("common:actions.undo"), exact: true }).waitFor();
    },
  },
  {
    name: "manager-repository",
    open: (visit) =>
      signedInAtFirst(visit, "repository", async (id) => {
        await shareAndChange(visit, id);
        return `/manager/repositories/${id}`;
      }),
  },
  {
    name: "manager-repository-update",
    open: (visit) =>
      signedInAtFirst(visit, "repository", (id) => `/manager/repositories/${id}/update`),
  },
];

/** Shares a repository with three organizations, and gives it events. */
async function shareAndChange({ gatehouse }: Visit, id: string): Promise<void> {
  const { d1 } = gatehouse;
  const known = await d1.prepare("SELECT 1 FROM audit_event WHERE target_id = ?").bind(id).first();
  if (known) return;
  const now = Date.now();
  await d1
    .prepare(
      "INSERT INTO organization_repository (organization_id, repository_id, created_at) SELECT id, ?, ? FROM organization LIMIT 3",
    )
    .bind(id, now)
    .run();
  const actor_id = await d1
    .prepare("SELECT id FROM user WHERE name <> '' LIMIT 1")
    .first<string>("id");
  const updatedAt = now - 6 * DAY_MS;
  const repository = await d1
    .prepare(
      "UPDATE repository SET updated_at = ?2 WHERE id = ?1 RETURNING created_at, description",
    )
    .bind(id, updatedAt)
    .first<{ created_at: number; description: string }>();
  if (!repository) throw new Error("There is no repository");
  const { created_at, description } = repository;
  const changed = { before: { description: null }, after: { description } };
  await insertRows(
    d1,
    "audit_event",
    [
      { action: "repository.created", details: null, created_at },
      { action: "repository.updated", details: JSON.stringify(changed), created_at: updatedAt },
    ].map((event) => ({
      ...{ ...event, id: crypto.randomUUID(), actor_id },
      ...{ target_type: "repository", target_id: id },
    })),
  );
}

/** Selects the first rows of a list. */
async function chooseRows(page: Page, count: number): Promise<void> {
  const boxes = page.getByRole("row").locator('input[name="id"]');
  for (let index = 0; index < count; index++) await boxes.nth(index).check();
}

/** Counts of 90 days for the dashboard's charts, as the 40 sample users would cause them: fewer at weekends. */
async function addBusyDays({ d1 }: Gatehouse): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS);
  const countsOf: Record<string, (ago: number, isWeekend: boolean) => number> = {
    "day_count user.signed_in": (_, isWeekend) => (isWeekend ? 5 : 14),
    "day_count user.created": (ago, isWeekend) => (isWeekend || ago % 3 === 1 ? 0 : 1),
    wrong_code_count: (ago) => (ago % 11 === 4 ? 9 : (ago * 5) % 4),
    "delivery_count delivered": (_, isWeekend) => (isWeekend ? 6 : 15),
    "delivery_count bounced": (ago) => (ago % 2 === 1 ? 2 : 0),
    "delivery_count suppressed": (ago) => (ago % 5 === 2 ? 1 : 0),
    "delivery_count complained": (ago) => (ago % 7 === 3 ? 1 : 0),
  };
  const statements = Object.entries(countsOf).map(([key, countOf]) => {
    const [table, name] = key.split(" ");
    const days = Array.from({ length: 90 }, (_, ago) => {
      const wave = ago === 0 ? 0.4 : 1 + Math.sin(ago * 1.7) / 4 - ago / 200;
      const isWeekend = [2, 3].includes((today - ago) % 7);
      return [today - ago, Math.round(countOf(ago, isWeekend) * wave)];
    });
    const columns = name ? "name, day, value" : "day, value";
    const values = `${name ? `'${name}', ` : ""}value ->> 0, value ->> 1`;
    return d1
      .prepare(`INSERT OR REPLACE INTO ${table} (${columns}) SELECT ${values} FROM json_each(?)`)
      .bind(JSON.stringify(days));
  });
  await d1.batch(statements);
}
