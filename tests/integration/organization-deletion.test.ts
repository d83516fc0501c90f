import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { accessibleError, locationOf, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import {
  organizationDeletions,
  restore,
  settingsOf,
  startDeletion,
} from "../support/organization-deletion.ts";
import { aMember } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAIL = "organization-deletion-started";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
const { d1, mailbox } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** More calls than any request makes. */
const FAULTS = faultsUpTo(6);

const { dueOf, actionsOf, countOf, anOwner } = organizationDeletions(gatehouse);

test("typing the name starts seven days of grace, cancels invitations and mails every owner", async () => {
  const other = await aUser(gatehouse, { language: "fr" });
  const admin = await aUser(gatehouse);
  const { user, browser, organization, invitations } = await anOwner({
    admins: [admin],
    invitations: [{}, { status: "accepted" }],
  });
  await aMember(gatehouse, {
    organization_id: organization.id,
    user_id: other.id,
    role: "owner",
  });

  const response = await startDeletion(browser, organization);

  expect(locationOf(response)).toBe(settingsOf(organization));
  const due = Number(await dueOf(organization));
  expect(Math.abs(due - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
  const page = readText(await (await browser.follow(response)).text());
  expect(page).toContain(say("organizations:deletion.begun"));
  const date = new Date(due).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  expect(page).toContain(say("organizations:deletion.due", { date }));
  expect((await auditOf(gatehouse, organization.id)).at(-1)).toEqual({
    action: "organization.deletion_started",
    actorId: user.id,
    details: { dueAt: new Date(due).toISOString() },
  });
  for (const [email, language] of [
    [user.email, "en"],
    [other.email, "fr"],
  ] as const) {
    const mail = await mailbox.mailFor(email);
    const subject = translationsIn(language)("mail:organizationDeletionStarted.subject", {
      organization: organization.name,
    });
    expect(mail.subject.replace(/[\u2068\u2069]/g, "")).toBe(subject);
    expect(mail.link).toBe(`${gatehouse.origin}${settingsOf(organization)}`);
  }
  expect(await countOf("mail_outbox", "kind = ? AND recipient = ?", MAIL, admin.email)).toBe(0);
  const states = await d1
    .prepare("SELECT status FROM invitation WHERE organization_id = ? ORDER BY status")
    .bind(organization.id)
    .all<{ status: string }>();
  expect(states.results.map(({ status }) => status)).toEqual(["accepted", "canceled"]);
  expect(invitations).toHaveLength(2);
});

test.each([
  ["spaces around it", "Umoja wa Amani", "  Umoja wa Amani "],
  ["letters composed in another way", "Café Müller", "Cafe\u0301 Mu\u0308ller"],
])("the typed name may have %s", async (_, name, typed) => {
  const { browser, organization } = await anOwner({}, name);

  expect(locationOf(await startDeletion(browser, organization, typed))).toBe(
    settingsOf(organization),
  );
  expect(await dueOf(organization)).not.toBeNull();
});

test.each(["", "Another name", "umoja wa amani", "Umoja wa"])(
  "the typed name %j is refused beside its field",
  async (typed) => {
    const { browser, organization } = await anOwner({}, "Umoja wa Amani");

    const response = await startDeletion(browser, organization, typed);

    expect(response.status).toBe(409);
    const page = await response.text();
    expect(accessibleError(page, "typedName")).toBe(say("codes:WRONG_ORGANIZATION_NAME"));
    expect(await dueOf(organization)).toBeNull();
    expect(await actionsOf(organization)).toEqual([]);
  },
);

test("only owners start and end a deletion, and others learn nothing", async () => {
  const admin = await aSignedInUser(gatehouse);
  const member = await aSignedInUser(gatehouse);
  const foreign = await anOwner();
  const { browser, organization } = await anOwner({
    admins: [admin.user],
    members: [member.user],
  });

  for (const { browser: other } of [admin, member]) {
    expect((await startDeletion(other, organization)).status).toBe(403);
  }
  expect((await startDeletion(foreign.browser, organization)).status).toBe(404);
  expect(await dueOf(organization)).toBeNull();

  await startDeletion(browser, organization);
  for (const { browser: other } of [admin, member]) {
    expect((await restore(other, organization)).status).toBe(403);
    const page = await (await other.get(settingsOf(organization))).text();
    expect(page).not.toContain(say("organizations:deletion.restore"));
  }
  expect((await restore(foreign.browser, organization)).status).toBe(404);
  expect(await dueOf(organization)).not.toBeNull();
  expect(await actionsOf(organization)).toEqual(["organization.deletion_started"]);
});

test("while an organization is being deleted its members see it, and nothing changes", async () => {
  const member = await aSignedInUser(gatehouse);
  const { browser, organization } = await anOwner({ members: [member.user] });
  await startDeletion(browser, organization);
  const before = await dueOf(organization);

  expect((await member.browser.get(`/app/organizations/${organization.slug}`)).status).toBe(200);
  expect(
    (
      await browser.submit(settingsOf(organization), {
        intent: "save",
        name: "Other",
        slug: organization.slug,
        version: "1",
      })
    ).status,
  ).toBe(409);
  const again = await startDeletion(browser, organization);
  expect(again.status).toBe(409);
  expect(readText(await again.text())).toContain(say("codes:ORGANIZATION_BEING_DELETED"));
  expect(await dueOf(organization)).toBe(before);
  expect(await actionsOf(organization)).toEqual(["organization.deletion_started"]);
});

test("a disabled organization cannot be deleted by its owner", async () => {
  const { browser, organization } = await anOwner();
  await d1
    .prepare("UPDATE organization SET disabled_at = 1 WHERE id = ?")
    .bind(organization.id)
    .run();

  expect((await startDeletion(browser, organization)).status).toBe(409);
  expect(await dueOf(organization)).toBeNull();
});

test("every owner restores the organization, once", async () => {
  const other = await aSignedInUser(gatehouse);
  const { browser, organization } = await anOwner();
  await aMember(gatehouse, {
    organization_id: organization.id,
    user_id: other.user.id,
    role: "owner",
  });
  await startDeletion(browser, organization);

  const response = await restore(other.browser, organization);

  expect(locationOf(response)).toBe(settingsOf(organization));
  expect(readText(await (await other.browser.follow(response)).text())).toContain(
    say("organizations:deletion.restored"),
  );
  await restore(browser, organization);
  expect(await dueOf(organization)).toBeNull();
  expect(await auditOf(gatehouse, organization.id)).toMatchObject([
    { action: "organization.deletion_started" },
    { action: "organization.deletion_cancelled", actorId: other.user.id },
  ]);
});

test("an impersonator neither starts nor ends a deletion", async () => {
  const { user, browser, organization } = await anOwner();
  const { user: manager } = await anAdmin(gatehouse);
  await d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(manager.id, user.id)
    .run();

  await startDeletion(browser, organization);

  expect(await dueOf(organization)).toBeNull();
});

test("two owners who delete at once start one deletion with one mail each", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const other = await aSignedInUser(gatehouse);
    const { user, browser, organization } = await anOwner();
    await aMember(gatehouse, {
      organization_id: organization.id,
      user_id: other.user.id,
      role: "owner",
    });

    const answers = await Promise.all(
      [browser, other.browser].map((one) => startDeletion(one, organization)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([302, 409]);
    expect(await actionsOf(organization)).toEqual(["organization.deletion_started"]);
    for (const email of [user.email, other.user.email]) {
      expect(await countOf("mail_outbox", "kind = ? AND recipient = ?", MAIL, email)).toBe(1);
    }
  }
});

test.each(FAULTS)("starting a deletion survives a fault at call %s", async (fault) => {
  const { user, browser, organization } = await anOwner({ invitations: [{}] });

  const response = await startDeletion(browser, organization, organization.name, {
    headers: { "x-d1-fault": fault },
  });
  const isStarted = (await dueOf(organization)) !== null;
  const expected = isStarted ? 1 : 0;
  expect(await actionsOf(organization)).toHaveLength(expected);
  expect(await countOf("mail_outbox", "kind = ? AND recipient = ?", MAIL, user.email)).toBe(
    expected,
  );
  expect(
    await countOf("invitation", "organization_id = ? AND status = 'canceled'", organization.id),
  ).toBe(expected);
  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect((await startDeletion(browser, organization)).status).toBe(isStarted ? 409 : 302);
  }
  expect(await actionsOf(organization)).toEqual(["organization.deletion_started"]);
});

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 4))(
  "restoring an organization survives a fault at call %s, with one audit record",
  async (fault) => {
    const { browser, organization } = await anOwner();
    await startDeletion(browser, organization);

    const response = await restore(browser, organization, { headers: { "x-d1-fault": fault } });
    if (response.status !== 302) {
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect((await restore(browser, organization)).status).toBe(302);
    }

    expect(await dueOf(organization)).toBeNull();
    expect(await actionsOf(organization)).toEqual([
      "organization.deletion_started",
      "organization.deletion_cancelled",
    ]);
  },
);
