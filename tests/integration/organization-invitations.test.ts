import { afterAll, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
  readText,
} from "../support/client.ts";
import { aMember, anInvitation, anOrganization } from "../support/organizations.ts";
import { findAll, readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const HOUR_MS = 3_600_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const admin = await aSignedInUser(gatehouse, { name: "Adam Admin" });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
  const made = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, admins: [admin.user], members: [member.user] },
  );
  const list = `/app/organizations/${made.organization.slug}/invitations`;
  return { owner, admin, member, list, ...made };
}

function invite(browser: Browser, list: string, emails: string, more = {}) {
  return browser.submit(list, { intent: "invite", emails, role: "member", ...more });
}

/** Returns the report: the text above the form, the e-mails in it, and what the field says of the refused ones. */
async function reportOf(response: Response) {
  const page = readPage(await response.text());
  const parts = page.findAll("status").filter((part) => !part.closest("noscript"));
  return {
    status: response.status,
    text: parts.map(textOf).join(" "),
    sent: parts.flatMap((part) => findAll(part, "listitem")).map(textOf),
    // The library puts a space between elements.
    refused: page.field("emails")?.error?.replaceAll(" :", ":"),
    kept: page.field("emails")?.value,
  };
}

async function invitationTo(email: string) {
  return gatehouse.d1
    .prepare("SELECT * FROM invitation WHERE email = ? ORDER BY created_at DESC, id LIMIT 1")
    .bind(email)
    .first<Record<string, string | number | null>>();
}

/** Moves the last mail of an invitation so long into the past. */
function age(id: string, ms: number) {
  return gatehouse.d1
    .prepare(
      "UPDATE invitation SET sent_at = sent_at - ?1, expires_at = expires_at - ?1 WHERE id = ?2",
    )
    .bind(ms, id)
    .run();
}

test("a pasted list is invited one by one, and each result is reported", async () => {
  const { owner, member, list, organization } = await aCompany();
  const [first, second, invited] = [newEmail("first"), newEmail("o'second"), newEmail("before")];
  await anInvitation(gatehouse, {
    organization_id: organization.id,
    inviter_id: owner.user.id,
    email: invited,
  });
  const pasted = `"First" <${first.toUpperCase()}>; ${second}، ${first}\n${invited}, ${member.user.email} broken@ me@@x.y`;

  const report = await reportOf(await invite(owner.browser, list, pasted));

  expect(report.status).toBe(200);
  expect(report.text).toContain("2 invitations sent:");
  expect(report.sent).toEqual([first, second]);
  const lines = [
    `${invited}: ${t("codes:USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION")}`,
    `${member.user.email}: ${t("codes:USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION")}`,
    `broken@: ${t("validation:email.invalid")}`,
    `me@@x.y: ${t("validation:email.invalid")}`,
  ];
  expect(report.refused?.startsWith(lines.join(" "))).toBe(true);
  expect(report.kept).toBe([invited, member.user.email, "broken@", "me@@x.y"].join("\n"));
  expect((await gatehouse.mailbox.mailFor(second)).to).toBe(second);
  const page = await (await owner.browser.get(list)).text();
  for (const email of [first, second, invited]) expect(readText(page)).toContain(email);
  expect((await auditOf(gatehouse, organization.id)).map(({ action }) => action)).toEqual([
    "invitation.sent",
    "invitation.sent",
  ]);
});

test("a word without @ is answered beside the field, and stays in it", async () => {
  const { owner, list } = await aCompany();
  const email = newEmail("marc");

  const report = await reportOf(await invite(owner.browser, list, `lea.acme.test, ${email}`));

  expect(report.sent).toEqual([email]);
  expect(report.refused).toContain(`lea.acme.test: ${t("validation:email.invalid")}`);
  expect(report.kept).toBe("lea.acme.test");
});

test("an inviter is told when the site opens no account for an invitation", async () => {
  const { owner, list } = await aCompany();
  const manager = await anAdmin(gatehouse);
  const email = newEmail("stranger");
  const saidTo = async ({ browser }: typeof owner) =>
    readText(await (await invite(browser, list, email)).text());
  const [warning, refusedDomain] = [
    t("organizations:invite.needsAccount"),
    t("organizations:invite.needsAccountSent"),
  ];
  const save = (settings: Record<string, string>) =>
    saveAccess(gatehouse, manager.browser, settings);

  expect(await saidTo(owner)).not.toContain(warning);
  await save({ signUpMode: "invitation" });
  expect(await saidTo(owner)).toContain(warning);
  await save({ signUpMode: "invitation", organizationsAdmit: "yes" });
  expect(await saidTo(owner)).not.toContain(warning);
  await save({ signUpMode: "closed", organizationsAdmit: "yes" });
  expect(await saidTo(owner)).toContain(warning);
  await save({ signUpMode: "open", blockedDomains: "refused.example" });
  const report = await invite(owner.browser, list, `${newEmail()}, a@refused.example`);
  expect(readText(await report.text())).toContain(`${refusedDomain} a@refused.example`);
  await save({ signUpMode: "open" });
});

test.each(["ar", "sw"] as const)(
  "a new person is written to in the inviter's language %s",
  async (language) => {
    const { owner, list, organization } = await aCompany();
    const email = newEmail("new");
    const { user, browser } = await aSignedInUser(gatehouse, { name: "زهراء", language });
    await aMember(gatehouse, { organization_id: organization.id, user_id: user.id, role: "admin" });

    await invite(browser, list, email);

    const mail = await gatehouse.mailbox.mailFor(email);
    const own = translationsIn(language);
    const names = { inviter: "زهراء", organization: organization.name };
    const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, "");
    expect(plain(mail.subject)).toBe(own("mail:organizationInvitation.subject", names));
    expect(plain(mail.text)).toContain(own("mail:organizationInvitation.member"));
    expect(plain(mail.text)).toContain(own("mail:organizationInvitation.validity", { count: 7 }));
    const row = await invitationTo(email);
    const search = new URLSearchParams({ email });
    expect(mail.link).toBe(`${gatehouse.origin}/invitations/${row?.id}?${search}`);
    expect(owner.user.id).not.toBe(row?.inviter_id);
  },
);

test("a user is written to in their own language", async () => {
  const { owner, list, organization } = await aCompany();
  const { email } = await aUser(gatehouse, { language: "fr" });

  await invite(owner.browser, list, email, { role: "admin" });

  const mail = await gatehouse.mailbox.mailFor(email);
  const names = { inviter: "Olga Owner", organization: organization.name };
  expect(mail.subject.replace(/[\u2066-\u2069]/g, "")).toBe(
    translationsIn("fr")("mail:organizationInvitation.subject", names),
  );
  expect(mail.text).toContain(translationsIn("fr")("mail:organizationInvitation.admin"));
});

test("an admin invites with roles up to their own, a member cannot invite", async () => {
  const { admin, member, list } = await aCompany();

  const owner = await reportOf(await invite(admin.browser, list, newEmail(), { role: "owner" }));
  expect(owner.status).toBe(409);
  expect(owner.refused).toContain(t("codes:YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE"));
  const same = await reportOf(await invite(admin.browser, list, newEmail(), { role: "admin" }));
  expect([same.status, same.refused]).toEqual([200, undefined]);

  expect((await member.browser.get(list)).status).toBe(403);
  expect((await invite(member.browser, list, newEmail())).status).toBe(403);
});

test.each([
  [{ emails: "" }, "emails", "validation:email.required"],
  [{ emails: " ,;\n" }, "emails", "validation:email.required"],
  [{ emails: `a@b.example ${"x".repeat(10_000)}` }, "emails", "validation:tooLong"],
  [
    { emails: Array.from({ length: 51 }, (_, index) => `p${index}@example.com`).join() },
    "emails",
    "organizations:invite.tooMany",
  ],
] as const)(
  "a bad form is refused at its field, and keeps what was typed (%#)",
  async (fields, at, key) => {
    const { owner, list } = await aCompany();

    const response = await invite(owner.browser, list, fields.emails, fields);

    expect(response.status).toBe(400);
    const page = await response.text();
    const maximum = key === "validation:tooLong" ? "10000" : "50";
    expect(accessibleError(page, at)).toBe(t(key, { maximum }));
    expect(readPage(page).field("emails")?.value).toBe(fields.emails.slice(0, 5_000));
  },
);

test("a form with an unknown role, intent or invitation is refused with a message", async () => {
  const { owner, list } = await aCompany();
  const [theirs] = (await anOrganization(gatehouse, {}, { invitations: [{}] })).invitations;
  const email = newEmail();
  for (const [fields, status, key] of [
    [{ intent: "invite", emails: email, role: "king" }, 400, "codes:ROLE_NOT_FOUND"],
    [{ intent: "shout", emails: email }, 400, "validation:form.incomplete"],
    [{ intent: "resend" }, 400, "validation:form.incomplete"],
    [{ intent: "resend", invitation: "x" }, 409, "codes:INVITATION_NOT_FOUND"],
    [{ intent: "cancel", invitation: "x" }, 409, "codes:INVITATION_NOT_FOUND"],
    [{ intent: "cancel", invitation: theirs?.id ?? "" }, 409, "codes:INVITATION_NOT_FOUND"],
    [{ intent: "resend", invitation: theirs?.id ?? "" }, 409, "codes:INVITATION_NOT_FOUND"],
  ] as const) {
    const response = await owner.browser.submit(list, fields);
    expect([fields, response.status, alertsOf(await response.text())]).toEqual([
      fields,
      status,
      [t(key)],
    ]);
  }
  expect(await invitationTo(email)).toBeNull();
});

test("an invitation is sent again after a minute, at most five times, and lasts seven days more", async () => {
  const { owner, admin, list, organization } = await aCompany();
  const email = newEmail("again");
  await invite(owner.browser, list, email);
  const id = String((await invitationTo(email))?.id);
  const resend = () => admin.browser.submit(list, { intent: "resend", invitation: id });
  await gatehouse.mailbox.mailFor(email);

  const early = await resend();
  expect([early.status, alertsOf(await early.text())]).toEqual([
    409,
    [t("codes:TOO_MANY_REQUESTS")],
  ]);

  await age(id, 169 * HOUR_MS);
  expect(await textOfState(owner.browser, list, email)).toContain("Expired");
  expect(locationOf(await resend())).toBe(list);
  expect((await gatehouse.mailbox.mailFor(email)).link).toContain(id);
  const row = await invitationTo(email);
  expect(row).toMatchObject({ id, sends: 2, inviter_id: admin.user.id, status: "pending" });
  expect(Number(row?.expires_at) - Number(row?.sent_at)).toBe(7 * 24 * HOUR_MS);
  const page = readPage(await (await owner.browser.get(list)).text());
  const shown = page.rows().find(([who]) => who?.includes(email));
  expect(shown?.slice(2, 4)).toEqual([
    expect.stringMatching(/^Pending Expires \d+ [A-Z][a-z]+$/),
    "now",
  ]);

  for (let sends = 3; sends <= 5; sends++) {
    await age(id, 61_000);
    expect(locationOf(await resend())).toBe(list);
  }
  await age(id, 61_000);
  const often = await resend();
  expect(alertsOf(await often.text())).toEqual([t("codes:INVITATION_SENT_TOO_OFTEN")]);
  const actions = (await auditOf(gatehouse, organization.id)).map(({ action }) => action);
  expect(actions.filter((action) => action === "invitation.resent")).toHaveLength(4);
});

async function textOfState(browser: Browser, list: string, email: string): Promise<string> {
  const page = readPage(await (await browser.get(list)).text());
  return page.rows().find(([who]) => who?.includes(email))?.[2] ?? "";
}

test("a cancelled invitation is in the list, cannot be sent again, and the person can be invited anew", async () => {
  const { owner, list } = await aCompany();
  const email = newEmail("cancelled");
  await invite(owner.browser, list, email);
  const id = String((await invitationTo(email))?.id);

  expect(locationOf(await owner.browser.submit(list, { intent: "cancel", invitation: id }))).toBe(
    list,
  );

  expect(await textOfState(owner.browser, list, email)).toBe("Canceled now");
  const filtered = await (await owner.browser.get(`${list}?state=cancelled`)).text();
  expect(readPage(filtered).rows()).toHaveLength(1);
  const again = await owner.browser.submit(list, { intent: "resend", invitation: id });
  expect(alertsOf(await again.text())).toEqual([t("codes:INVITATION_NOT_FOUND")]);
  expect((await reportOf(await invite(owner.browser, list, email))).refused).toBeUndefined();
});

test("a disabled organization invites no one, and the message is above the form", async () => {
  const { owner, list, organization } = await aCompany();
  await gatehouse.d1
    .prepare("UPDATE organization SET disabled_at = 1 WHERE id = ?")
    .bind(organization.id)
    .run();
  const email = newEmail();

  const response = await invite(owner.browser, list, email);

  expect(response.status).toBe(409);
  const page = await response.text();
  expect(alertsOf(page)).toContain(t("codes:ORGANIZATION_DISABLED"));
  expect(readPage(page).field("emails")?.value).toBe(email);
});
