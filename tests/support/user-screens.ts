import { locationOf, newBrowser } from "./client.ts";
import { insertRows } from "./insert.ts";
import { anAdmin, aUser, newEmail, signIn } from "./people.ts";
import { type Screen, signedIn, signedInAtFirst, type Visit } from "./visit.ts";

const DAY_MS = 86_400_000;

/** The screens of one user in the back-office. */
export const USER_SCREENS: Screen[] = [
  {
    name: "manager-user",
    open: (visit) => signedInAtFirst(visit, "user", (id) => `/manager/users/${id}`),
  },
  ...["sessions", "emails", "audit"].map((tab) => ({
    name: `manager-user-${tab}`,
    async open(visit: Visit) {
      const { page, gatehouse } = visit;
      const { id, email } = await aUser(gatehouse, { name: "زهراء Zawadi" });
      for (let device = 0; device < 2; device++) {
        await signIn(gatehouse, newBrowser(gatehouse), email);
      }
      await signedIn({ page, gatehouse }, `/manager/users/${id}?tab=${tab}`, "admin");
    },
  })),
  {
    name: "manager-user-menu",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { browser } = await anAdmin(gatehouse);
      const fields = { name: "زهراء Zawadi", email: newEmail("invited"), role: "user" };
      const path = locationOf(await browser.submit("/manager/users/new", fields));
      await signedIn(visit, path ?? "", "admin");
      await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
    },
  },
  {
    name: "manager-user-update",
    open: (visit) => signedInAtFirst(visit, "user", (id) => `/manager/users/${id}/update`),
  },
  {
    name: "manager-user-methods",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const linkedAt = Date.UTC(2026, 7, 27);
      const times = { created_at: linkedAt, onboarded_at: linkedAt, last_seen_at: linkedAt };
      const { id, email } = await aUser(gatehouse, { name: "زهراء Zawadi", ...times });
      await gatehouse.d1.batch([
        gatehouse.d1
          .prepare(
            "INSERT INTO account (id, account_id, provider_id, user_id, email, created_at, updated_at) VALUES (?1, ?1, 'github', ?1, ?3, ?2, ?2)",
          )
          .bind(id, linkedAt, email),
        gatehouse.d1
          .prepare(
            `INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
             VALUES (?1, 'YubiKey 5C', '', ?1, ?1, 0, 'singleDevice', 0, ?2)`,
          )
          .bind(id, linkedAt),
      ]);
      await signedIn(visit, `/manager/users/${id}/update`, "admin");
      await page.getByRole("textbox", { name: t("users:email") }).fill(newEmail("moved"));
      await page.getByRole("button", { name: t("users:save") }).click();
      await page.getByText(t("users:methods.text")).waitFor();
    },
  },
  {
    name: "manager-user-ban",
    async open(visit) {
      await openDrawer(visit, "users:ban.title");
      await visit.page.getByLabel(visit.t("users:ban.duration")).selectOption("date");
      await visit.page.getByRole("button", { name: visit.t("common:datePicker.pick") }).click();
      await visit.page.getByRole("grid").waitFor();
    },
  },
  {
    name: "manager-user-ban-refused",
    async open(visit) {
      const { page, t } = visit;
      await openDrawer(visit, "users:ban.title");
      await page.getByLabel(t("users:ban.duration")).selectOption("date");
      await page.getByRole("button", { name: t("common:actions.confirm") }).click();
      await page.getByText(t("validation:ban.dateRequired")).waitFor();
    },
  },
  {
    name: "manager-user-banned",
    async open({ page, gatehouse }) {
      const { id } = await aUser(gatehouse, { name: "ليلى Haddad", last_seen_at: Date.now() });
      const { browser } = await anAdmin(gatehouse);
      const reason = "Sold tickets to the same show twice.";
      await browser.submit(`/manager/users/${id}`, { intent: "ban", reason, duration: "30" });
      await signedIn({ page, gatehouse }, `/manager/users/${id}`, "admin");
    },
  },
  {
    name: "manager-user-refuses-mail",
    async open({ page, gatehouse }) {
      const { id, email } = await aUser(gatehouse, { name: "زهراء Zawadi" });
      const at = Date.now() - DAY_MS;
      await insertRows(gatehouse.d1, "refusing_mailbox", [
        { email, reason: "bounced", note: "550 5.1.1 no such user", since: at },
      ]);
      await insertRows(gatehouse.d1, "mail_outbox", [
        {
          ...{ id: crypto.randomUUID(), kind: "login-code", recipient: email, language: "ar" },
          ...{ state: "sent", next_try_at: at, expires_at: at, created_at: at, sent_at: at },
          ...{ delivery: "bounced", delivery_at: at },
          delivery_reason: "550 5.1.1 no such user",
        },
      ]);
      await signedIn({ page, gatehouse }, `/manager/users/${id}?tab=emails`, "admin");
    },
  },
  {
    name: "manager-user-impersonate-refused",
    async open(visit) {
      const { page, t } = visit;
      await openDrawer(visit, "users:impersonate.title");
      await page.getByRole("button", { name: t("common:actions.confirm") }).click();
      await page.getByText(t("validation:reason.required")).waitFor();
    },
  },
];

/** Opens one of the drawers of a user's screen. */
async function openDrawer(visit: Visit, title: string): Promise<void> {
  const { page, gatehouse, t } = visit;
  const { id } = await aUser(gatehouse, { name: "زهراء Zawadi" });
  await signedIn(visit, `/manager/users/${id}`, "admin");
  if (title === "users:ban.title") {
    await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
  }
  await page.getByRole("button", { name: t(title) }).click();
}
