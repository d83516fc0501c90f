import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { askForChange, changePath } from "../support/account.ts";
import { newBrowser } from "../support/client.ts";
import { FEATURE_TESTS, type Shown } from "../support/feature-tests.ts";
import { insertRows } from "../support/insert.ts";
import { inTurn } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
} from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { translationsIn } from "../support/translations.ts";
import { latinOf, leftOver } from "../support/untranslated.ts";
import { startGatehouse } from "../support/worker.ts";

const PRODUCT_NAME = "Acme";

const gatehouse = await startGatehouse({ vars: { PRODUCT_NAME } });
const local = await startGatehouse({ mail: "local", vars: { PRODUCT_NAME } });
const gated = await startGatehouse({
  vars: {
    PRODUCT_NAME,
    SIGN_UP_ENABLED: "false",
    TERMS_URL: "https://example.com/terms",
    TERMS_VERSION: "7",
  },
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await gated[Symbol.asyncDispose]();
  await local[Symbol.asyncDispose]();
});

/** A name that the tests store. */
const PERSON = "منى";
const { user: manager, browser: ofManager } = await anAdmin(gatehouse, { name: PERSON });
const { user: plain, browser: ofUser } = await aSignedInUser(gatehouse, { name: PERSON });
const { browser: ofNewcomer } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });
const { user: deleting, browser: ofDeleting } = await aSignedInUser(gatehouse, { name: PERSON });
await gatehouse.d1
  .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
  .bind(Date.UTC(2099, 4, 1), deleting.id)
  .run();
const MOVING = changePath("new@example.com");
const { browser: ofMover } = await aSignedInUser(gatehouse, { name: PERSON });
await askForChange(ofMover, "new@example.com");
await ofMover.submit("/app/account", { intent: "request-deletion" });
const ofBanned = newBrowser(gatehouse);
const banned = await aUser(gatehouse, { name: PERSON, banned: 1, ban_reason: "Spam reason" });
await askForCode(ofBanned, banned.email);
await enterCode(ofBanned, banned.email, await gatehouse.mailbox.codeFor(banned.email));
const refusing = await aUser(gatehouse, { name: PERSON });
await insertRows(gatehouse.d1, "refusing_mailbox", [
  { email: refusing.email, reason: "bounced", note: "Spam reason", since: Date.now() },
]);
const { organization, invitations } = await anOrganization(
  gatehouse,
  { name: PERSON, slug: "zod-sample" },
  { owner: plain, members: [banned], invitations: [{}, { email: plain.email }] },
);
const ofOrganization = "/app/organizations/zod-sample";
const anonymous = newBrowser(gatehouse);
const ofStranger = newBrowser(gated);
const { browser: ofUnasked } = await aSignedInUser(gated);
const { browser: ofUnnamed } = await aSignedInUser(gated, { onboarded_at: null });
const { browser: ofOffice } = await anAdmin(gated, { name: "منى", terms_version: "7" });
const ofLocal = newBrowser(local);
await local.d1.exec("UPDATE site_setting SET manager_passkeys_since = 1");
const { browser: ofManagerWithoutPasskey } = await anAdmin(local, { name: "منى" });
await askForCode(ofLocal, newEmail());

const world = {
  gatehouse,
  manager,
  organization,
  ofManager,
  ofUser,
  gated: { gatehouse: gated, ofStranger, ofManager: ofOffice },
};
const VERIFY = `/login/verify?email=${encodeURIComponent(newEmail())}`;
const SCREENS: Shown[] = [
  ["login", anonymous, (browser) => browser.get("/login")],
  [
    "login, without an e-mail",
    anonymous,
    (b) => b.submit("/login", { intent: "email", email: "" }),
  ],
  [
    "login, with a bad e-mail",
    anonymous,
    (b) => b.submit("/login", { intent: "email", email: "x" }),
  ],
  ["login, signed out", anonymous, (browser) => browser.follow(browser.submit("/sign-out", {}))],
  ["verify", anonymous, (browser) => browser.get(VERIFY)],
  ["verify, without a code", anonymous, (b) => b.submit(VERIFY, { intent: "verify", code: "" })],
  ["verify, with half a code", anonymous, (b) => b.submit(VERIFY, { intent: "verify", code: "1" })],
  [
    "verify, with a wrong code",
    anonymous,
    (b) => b.submit(VERIFY, { intent: "verify", code: "000000" }),
  ],
  ["login error: signup_disabled", anonymous, (b) => b.get("/login/error?error=signup_disabled")],
  ["login error: access_denied", anonymous, (b) => b.get("/login/error?error=access_denied")],
  ["login error: unknown_error", anonymous, (b) => b.get("/login/error?error=unknown_error")],
  ["login error: email_not_found", anonymous, (b) => b.get("/login/error?error=email_not_found")],
  [
    "login error: domain",
    anonymous,
    (b) => b.get("/login/error?error=EMAIL_DOMAIN_NOT_ALLOWED&email=a%40b.example"),
  ],
  ["login error: banned", ofBanned, (b) => b.get("/login/error?error=BANNED_USER")],
  ["onboarding", ofNewcomer, (browser) => browser.get("/onboarding")],
  ["onboarding, without a name", ofNewcomer, (b) => b.submit("/onboarding", { name: "" })],
  ["onboarding, with a bad name", ofNewcomer, (b) => b.submit("/onboarding", { name: "7" })],
  ["app", ofUser, (browser) => browser.get("/app")],
  ["app, account", ofUser, (browser) => browser.get("/app/account")],
  ["app, account, change name", ofUser, (b) => b.get("/app/account?state=change-name")],
  ["app, account, add a passkey", ofUser, (b) => b.get("/app/account?state=add-passkey")],
  ["app, account, confirm", ofUser, (browser) => browser.get("/app/account/confirm")],
  ["app, account, change email", ofUser, (b) => b.get("/app/account?newEmail=new@example.com")],
  ["app, account, an invalid new e-mail", ofUser, (b) => b.get("/app/account?newEmail=x")],
  ["app, account, the current e-mail", ofMover, (b) => b.get(MOVING)],
  ["app, account, a wrong code", ofMover, (b) => b.submit(MOVING, { intent: "verify", code: "7" })],
  ["app, account, delete", ofUser, (browser) => browser.get("/app/account/delete")],
  ["app, account, delete, sent", ofMover, (browser) => browser.get("/app/account/delete")],
  ["app, organizations", ofUser, (browser) => browser.get("/app/organizations")],
  ["app, no organizations", ofMover, (browser) => browser.get("/app/organizations")],
  ["app, a new organization", ofUser, (b) => b.get("/app/organizations/new")],
  [
    "app, a bad organization",
    ofUser,
    (b) => b.submit("/app/organizations/new", { name: "", slug: "A" }),
  ],
  ["app, an organization", ofUser, (browser) => browser.get(ofOrganization)],
  ["app, members", ofUser, (browser) => browser.get(`${ofOrganization}/members`)],
  ["app, invitations", ofUser, (browser) => browser.get(`${ofOrganization}/invitations`)],
  ["app, settings", ofUser, (browser) => browser.get(`${ofOrganization}/settings`)],
  ["app, logo", ofUser, (browser) => browser.get(`${ofOrganization}/logo`)],
  ["an invitation", anonymous, (browser) => browser.get(`/invitations/${invitations[0]?.id}`)],
  ["an invitation link that is none", ofUser, (b) => b.get("/invitations/links/none")],
  ["an own invitation", ofUser, (browser) => browser.get(`/invitations/${invitations[1]?.id}`)],
  ["another's invitation", ofUser, (browser) => browser.get(`/invitations/${invitations[0]?.id}`)],
  ["manager, organizations", ofManager, (b) => b.get("/manager/organizations")],
  ["manager, a new organization", ofManager, (b) => b.get("/manager/organizations/new")],
  [
    "manager, an organization",
    ofManager,
    (browser) => browser.get(`/manager/organizations/${organization.id}`),
  ],
  ["manager, account, delete", ofManager, (b) => b.get("/manager/account/delete")],
  [
    "manager, account, the last admin",
    ofManager,
    (b) => b.submit("/manager/account", { intent: "request-deletion" }),
  ],
  ["restore", ofDeleting, (browser) => browser.get("/restore")],
  [
    "manager, a user in the grace period",
    ofManager,
    (browser) => browser.get(`/manager/users/${deleting.id}`),
  ],
  [
    "manager, a user whose mailbox refuses mail",
    ofManager,
    (browser) => browser.get(`/manager/users/${refusing.id}?tab=emails`),
  ],
  ["manager, account", ofManager, (browser) => browser.get("/manager/account")],
  ["manager, account, confirm", ofManager, (b) => b.get("/manager/account/confirm")],
  ["app, account, picture", ofUser, (browser) => browser.get("/app/account/picture")],
  [
    "app, account, no picture",
    ofUser,
    (b) => b.submit("/app/account/picture", { intent: "save", picture: "" }),
  ],
  ["manager, account, picture", ofManager, (b) => b.get("/manager/account/picture")],
  ["forbidden", ofUser, (browser) => browser.get("/manager")],
  ["not found", anonymous, (browser) => browser.get("/nothing")],
  ["dashboard", ofManager, (browser) => browser.get("/manager/dashboard")],
  ["manager, users", ofManager, (browser) => browser.get("/manager/users")],
  ["manager, no such user", ofManager, (browser) => browser.get("/manager/users?searchTerm=xqz")],
  ["manager, a user", ofManager, (browser) => browser.get(`/manager/users/${plain.id}`)],
  ["manager, a banned user", ofManager, (browser) => browser.get(`/manager/users/${banned.id}`)],
  ["manager, oneself", ofManager, (browser) => browser.get(`/manager/users/${manager.id}`)],
  ["manager, a new user", ofManager, (browser) => browser.get("/manager/users/new")],
  [
    "manager, a bad user",
    ofManager,
    (b) => b.submit("/manager/users/new", { name: "", email: "x" }),
  ],
  ["manager, change a user", ofManager, (b) => b.get(`/manager/users/${plain.id}/update`)],
  ["manager, audit log", ofManager, (browser) => browser.get("/manager/audit")],
  ["manager, no such event", ofManager, (b) => b.get("/manager/audit?searchTerm=xqz")],
  ["manager, mail log", ofManager, (browser) => browser.get("/manager/mail")],
  ["manager, sign-ins", ofManager, (browser) => browser.get("/manager/mail/sign-in")],
  ["login, without sign-up", ofStranger, (browser) => browser.get("/login")],
  ["terms", ofUnasked, (browser) => browser.get("/terms")],
  ["terms, not accepted", ofUnasked, (b) => b.submit("/terms", { termsVersion: "7" })],
  ["onboarding, with terms", ofUnnamed, (browser) => browser.get("/onboarding")],
  ["settings, forbidden", ofUser, (browser) => browser.get("/manager/settings")],
  ["manager, settings, access", ofManager, (b) => b.get("/manager/settings/access")],
  [
    "manager, bad settings",
    ofManager,
    (b) =>
      b.submit("/manager/settings/access", {
        version: "1",
        termsUrl: "http://example.com",
      }),
  ],
  ["manager, system", ofManager, (browser) => browser.get("/manager/settings/system")],
  ["manager, settings, brand", ofManager, (b) => b.get("/manager/settings/brand")],
  [
    "manager, settings, a bad brand",
    ofManager,
    (b) => b.submit("/manager/settings/brand", { helpUrl: "x", version: "1" }),
  ],
  ["manager, settings, roles", ofManager, (b) => b.get("/manager/settings/security")],
  ["manager, passkey", ofManagerWithoutPasskey, (browser) => browser.get("/manager/passkey")],
  ["local inbox", ofLocal, (browser) => browser.get("/dev/inbox")],
  ["mails", ofLocal, (browser) => browser.get("/dev/mails")],
  ...(await Promise.all(FEATURE_TESTS.map(({ translated }) => translated?.(world) ?? []))).flat(),
];

const shown = new Set<string>();

/** Removes the mails from a page, and what programs write: what was written in English stays in English. */
function withoutEnglish(html: string): string {
  const { document } = readPage(html);
  const parts = document.querySelectorAll('article, main [lang="en"]');
  for (const part of parts) part.remove();
  return parts.length > 0 ? document.toString() : html;
}

const TRANSLATED = LANGUAGES.filter((language) => language !== "en");

for (const [index, [name, browser, ask]] of SCREENS.entries()) {
  test.each(inTurn(TRANSLATED, index))(`no English is left in %s on: ${name}`, async (language) => {
    browser.cookies.set("i18next", language);
    const response = await ask(browser);
    shown.add(new URL(response.url).pathname);
    const html = withoutEnglish(await response.text());

    expect(response.status).toBeLessThan(500);
    expect(readPage(html).rootAttribute("lang")).toBe(language);
    expect(leftOver(html, language)).toEqual([]);
    if (language === "ar") expect(latinOf(html)).toEqual([]);
    expect(html).not.toContain("Gatehouse");
  });
}

test("the list covers every screen of the product", () => {
  // The root redirects to the login screen; it shows a page for errors only. The style guide is for developers.
  const others = ["/", "/dev/ui"];
  const screens = listUrls().filter(
    ({ isScreen, pattern }) => isScreen && !others.includes(pattern),
  );
  const unseen = screens.filter(({ pattern }) => {
    const url = new RegExp(`^${pattern.replace(/:\w+|\*/g, "[^/]+")}$`);
    return ![...shown].some((path) => url.test(path));
  });

  expect(unseen.map(({ pattern }) => pattern)).toEqual([]);
});

test("untranslated English is detected", async () => {
  anonymous.cookies.set("i18next", "en");
  const page = await (await anonymous.get("/login")).text();
  const say = translationsIn("en");

  expect(leftOver(page, "fr")).toEqual(
    expect.arrayContaining([say("login:titleWithSignUp"), say("login:email")]),
  );
  expect(latinOf(page)).toContain(say("login:intro"));
});
