import { readFileSync } from "node:fs";
import { METHODS_ID } from "../../app/features/auth/sign-in/providers.ts";
import { changePath, otherDevices, SAFARI } from "./account.ts";
import { signInAs } from "./e2e.ts";
import { markInput } from "./layout.ts";
import { anOrganization } from "./organizations.ts";
import { aUser, newEmail, type Person } from "./people.ts";
import { go, type Screen, signedIn, type Visit } from "./visit.ts";

/** A picture in which a circle and its crop can be seen. */
const ICON = readFileSync("public/icon-180.png");

/** The account: profile, picture, passkeys, change of e-mail and deletion. */
export const ACCOUNT_SCREENS: Screen[] = [
  { name: "app-account", open: (visit) => signedIn(visit, "/app/account") },
  { name: "manager-account", open: (visit) => signedIn(visit, "/manager/account", "admin") },
  {
    name: "account-linked",
    // One provider is linked, one can be, and one was linked before the operator took its settings away.
    settings: {
      vars: {
        GITHUB_CLIENT_ID: "id",
        GITHUB_CLIENT_SECRET: "secret",
        GOOGLE_CLIENT_ID: "id",
        GOOGLE_CLIENT_SECRET: "secret",
      },
    },
    async open({ page, gatehouse }) {
      const { id, email } = await signInAs(gatehouse, page.context());
      const now = Date.now();
      await gatehouse.d1
        .prepare(
          `INSERT INTO account (id, account_id, provider_id, user_id, email, created_at, updated_at)
           VALUES (?1, ?1, 'github', ?2, ?5, ?3, ?3), (?4, ?4, 'oidc', ?2, NULL, ?3, ?3)`,
        )
        .bind(crypto.randomUUID(), id, now - 90 * 86_400_000, crypto.randomUUID(), email)
        .run();
      await go(page, `/app/account#${METHODS_ID}`);
    },
  },
  {
    name: "account-devices",
    async open({ page, gatehouse }) {
      const { id, email } = await signInAs(gatehouse, page.context());
      const anotherDevice = otherDevices(gatehouse);
      await anotherDevice(email, SAFARI);
      await gatehouse.d1
        .prepare(
          `UPDATE session SET created_at = created_at - 30 * 86400000, last_seen_at = last_seen_at - 7200000
           WHERE user_id = ? AND user_agent = ?`,
        )
        .bind(id, SAFARI)
        .run();
      await anotherDevice(email);
      await go(page, "/app/account#devices");
    },
  },
  {
    name: "account-change-name",
    open: (visit) => signedIn(visit, "/app/account?state=change-name"),
  },
  { name: "account-picture", open: (visit) => signedIn(visit, "/app/account/picture") },
  {
    name: "account-picture-invalid",
    async open(visit) {
      await signedIn(visit, "/app/account/picture");
      await chooseFile(visit, { name: "notes.txt", mimeType: "text/plain", buffer: "Notes" });
      const refusal = { hasText: visit.t("account:picture.notPicture") };
      await visit.page.getByRole("alert").filter(refusal).waitFor();
    },
  },
  {
    name: "account-picture-crop",
    async open(visit) {
      await signedIn(visit, "/app/account/picture");
      await chooseFile(visit, { name: "icon.png", mimeType: "image/png", buffer: ICON });
      await visit.page.getByRole("slider").first().waitFor();
    },
  },
  {
    name: "account-picture-there",
    async open(visit) {
      const avatar = await aKeptPicture(visit);
      await signInAs(visit.gatehouse, visit.page.context(), { avatar });
      await go(visit.page, "/app/account/picture");
    },
  },
  {
    name: "account-passkeys",
    async open(visit) {
      await withPasskeys(visit);
      await go(visit.page, "/app/account");
      await visit.page
        .getByRole("heading", { name: visit.t("account:passkeys.title") })
        .scrollIntoViewIfNeeded();
    },
  },
  {
    name: "account-add-passkey",
    async open(visit) {
      await signedIn(visit, "/app/account?state=add-passkey");
      await visit.page
        .getByRole("button", { name: visit.t("account:passkeys.continue") })
        .waitFor();
    },
  },
  {
    name: "account-name-passkey",
    async open(visit) {
      await withPasskeys(visit);
      // A second one of the same kind, which was just added.
      await visit.gatehouse.d1
        .prepare(
          "UPDATE passkey SET name = 'iCloud Keychain 2', backed_up = 1, created_at = ? WHERE id = 'bound'",
        )
        .bind(Date.now())
        .run();
      await go(visit.page, "/app/account?state=name-passkey&passkey=bound");
    },
  },
  { name: "account-confirm", open: (visit) => signedIn(visit, "/app/account/confirm") },
  {
    name: "account-confirm-sent",
    async open(visit) {
      await signedIn(visit, "/app/account/confirm");
      await visit.page.getByRole("button", { name: visit.t("account:code.send") }).click();
      await visit.page.getByLabel(visit.t("login:code")).waitFor();
    },
  },
  {
    name: "account-change-email",
    open: (visit) => signedIn(visit, changePath("zawadi@example.com")),
  },
  {
    name: "account-change-email-invalid",
    async open(visit) {
      const { page, t } = visit;
      await signedIn(visit, "/app/account");
      await page.getByRole("link", { name: t("account:email.change") }).click();
      await page.getByLabel(t("account:email.label")).fill("zawadi at example");
      await page.getByRole("button", { name: t("account:email.continue") }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: t("validation:email.invalid") })
        .waitFor();
    },
  },
  {
    name: "account-email-ignored",
    open: (visit) => signedIn(visit, "/app/account?newEmail=zawadi"),
  },
  {
    name: "account-email-current",
    async open(visit) {
      await changingEmail(visit);
    },
  },
  {
    name: "account-email-new",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { email } = await changingEmail(visit);
      await page.keyboard.type(await gatehouse.mailbox.codeFor(email));
      await page.getByRole("heading", { name: t("account:email.email-new.title") }).waitFor();
    },
  },
  {
    name: "account-delete-blocked",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const owner = await signInAs(gatehouse, page.context());
      await asSoleOwner(visit, owner);
      await go(page, "/app/account");
      const reason = page
        .getByRole("status")
        .filter({ hasText: t("account:deletion.handOver", { count: 1, name: "Nyumbani" }) });
      await reason.waitFor();
      await reason.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "account-delete-refused",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const owner = await signInAs(gatehouse, page.context());
      await go(page, "/app/account");
      // After the page was loaded, so that it still offers the deletion.
      await asSoleOwner(visit, owner);
      await page.getByRole("button", { name: t("account:deletion.title") }).click();
      const drawer = page.getByRole("alertdialog");
      await drawer.getByRole("button", { name: t("common:actions.confirm") }).click();
      const refusal = page
        .getByRole("alert")
        .filter({ hasText: t("account:deletion.chooseOwner") });
      await refusal.waitFor();
      await refusal.scrollIntoViewIfNeeded();
    },
  },
  { name: "account-delete", open: (visit) => signedIn(visit, "/manager/account/delete", "admin") },
  {
    name: "account-delete-sent",
    async open(visit) {
      await signedIn(visit, "/app/account/delete");
      await visit.page.getByRole("button", { name: visit.t("account:code.send") }).click();
      await visit.page.getByLabel(visit.t("login:code")).waitFor();
    },
  },
  {
    name: "restore",
    async open({ page, gatehouse }) {
      await signInAs(gatehouse, page.context(), { deletion_due_at: Date.UTC(2099, 4, 1, 12) });
      await go(page, "/app");
    },
  },
];

/** Stores a picture in the bucket and returns its name. */
async function aKeptPicture({ gatehouse }: Visit): Promise<string> {
  const name = crypto.randomUUID();
  await (await gatehouse.getBucket("AVATARS")).put(name, ICON);
  return name;
}

/** Makes a user the only owner of an organization with another member. */
async function asSoleOwner({ gatehouse }: Visit, owner: Person): Promise<void> {
  const members = [await aUser(gatehouse)];
  await anOrganization(gatehouse, { name: "Nyumbani" }, { owner, members });
}

async function chooseFile(
  { page, t }: Visit,
  file: { name: string; mimeType: string; buffer: string | Buffer },
): Promise<void> {
  const { buffer } = file;
  await markInput(page);
  await page
    .getByLabel(t("account:picture.choose"))
    .setInputFiles({ ...file, buffer: Buffer.from(buffer) });
}

/** Signs a user in who changes their e-mail, up to the code of the current e-mail. */
async function changingEmail({ page, gatehouse, t }: Visit) {
  const user = await signInAs(gatehouse, page.context());
  await go(page, changePath(newEmail("zawadi")));
  await page.getByRole("button", { name: t("account:email.continue") }).click();
  await page.getByRole("heading", { name: t("account:email.email-current.title") }).waitFor();
  return user;
}

/** Signs a user in who has a passkey of each kind. */
async function withPasskeys({ page, gatehouse }: Visit): Promise<void> {
  const user = await signInAs(gatehouse, page.context());
  const now = Date.now();
  const insert = gatehouse.d1.prepare(
    `INSERT OR REPLACE INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at, last_used_at)
     VALUES (?1, ?2, '', ?3, ?1, 0, 'multiDevice', ?4, ?5, ?6)`,
  );
  await gatehouse.d1.batch([
    insert.bind("synced", "iCloud Keychain", user.id, 1, now - 40 * 86_400_000, now - 3_600_000),
    insert.bind("bound", "مفتاح العمل · YubiKey 5C", user.id, 0, now - 86_400_000, null),
  ]);
}
