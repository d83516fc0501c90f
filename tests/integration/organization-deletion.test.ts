import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { accessibleError, type Browser, locationOf, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { aMember, anInvitation, anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import { aPicture } from "../support/pictures.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAIL = "organization-deletion-started";

const gatehouse = await startGatehouse({ isProbed: true });
gatehouse.tolerateErrors();
const { d1, mailbox } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** More calls than any request makes. */
const FAULTS = faultsUpTo(6);

function settingsOf({ slug }: { slug: string }): string {
  return `/app/organizations/${slug}/settings`;
}

function startDeletion(
  browser: Browser,
  organization: { slug: string; name: string },
  typedName = organization.name,
  init?: RequestInit,
) {
  return browser.submit(settingsOf(organization), { intent: "delete", typedName }, init);
}

function restore(browser: Browser, organization: { slug: string }, init?: RequestInit) {
  return browser.submit(settingsOf(organization), { intent: "restore" }, init);
}

async function dueOf({ id }: { id: string }): Promise<number | null> {
  return d1
    .prepare("SELECT deletion_due_at FROM organization WHERE id = ?")
    .bind(id)
    .first("deletion_due_at");
}

/** Ends the grace period of an organization. */
async function makeDue({ id }: { id: string }): Promise<void> {
  await d1.prepare("UPDATE organization SET deletion_due_at = 1 WHERE id = ?").bind(id).run();
}

async function actionsOf({ id }: { id: string }): Promise<string[]> {
  return (await auditOf(gatehouse, id)).map(({ action }) => action);
}

async function countOf(table: string, condition: string, ...values: unknown[]) {
  return d1
    .prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`)
    .bind(...values)
    .first<number>("n");
}

/** Makes an organization with its signed-in owner. */
async function anOwner(parts: Parameters<typeof anOrganization>[2] = {}, name?: string) {
  const owner = await aSignedInUser(gatehouse);
  const made = await anOrganization(gatehouse, name ? { name } : {}, {
    owner: owner.user,
    ...parts,
  });
  return { ...owner, ...made };
}

/** Runs the hourly cron trigger for one of the next full hours. */
function runHourly(hoursAhead = 1): Promise<void> {
  return gatehouse.runHourly(new Date((Math.floor(Date.now() / HOUR_MS) + hoursAhead) * HOUR_MS));
}

test("typing the name starts seven days of grace, cancels invitations and mails every owner", async () => {
  const other = await aUser(gatehouse, { language: "fr" });
  const admin = await aUser(gatehouse);
  const { user, browser, organization, invitations } = await anOwner({
    admins: [admin],
    invitations: [{}, { status: "accepted" }],
  });
  await aMember(gatehouse, {
    ...{ organization_id: organization.id, user_id: other.id, role: "owner" },
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
        ...{ intent: "save", name: "Other", slug: organization.slug, version: "1" },
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
    ...{ organization_id: organization.id, user_id: other.user.id, role: "owner" },
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
      ...{ organization_id: organization.id, user_id: other.user.id, role: "owner" },
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

test("the cron erases what is due, with its name on record, and leaves the rest", async () => {
  const member = await aSignedInUser(gatehouse);
  const due = await anOwner({ members: [member.user], teams: ["Blue"], invitations: [{}] });
  const later = await anOwner();
  await startDeletion(later.browser, later.organization);
  await startDeletion(due.browser, due.organization);
  await makeDue(due.organization);
  const logo = crypto.randomUUID();
  await gatehouse.avatars?.put(`logos/${logo}`, aPicture(), {
    customMetadata: { organization: due.organization.id },
  });
  await d1
    .prepare("UPDATE organization SET logo = ? WHERE id = ?")
    .bind(logo, due.organization.id)
    .run();
  await d1
    .prepare("UPDATE session SET active_organization_id = ? WHERE user_id = ?")
    .bind(due.organization.id, member.user.id)
    .run();

  await runHourly(3);

  const { id, name, slug } = due.organization;
  expect(await countOf("organization", "id = ?", id)).toBe(0);
  for (const table of ["member", "team", "invitation"]) {
    expect(await countOf(table, "organization_id = ?", id)).toBe(0);
  }
  expect(await countOf("session", "active_organization_id = ?", id)).toBe(0);
  expect(await gatehouse.avatars?.head(`logos/${logo}`)).toBeNull();
  expect((await auditOf(gatehouse, id)).at(-1)).toEqual({
    action: "organization.erased",
    actorId: null,
    details: { name },
  });
  expect((await member.browser.get(`/app/organizations/${slug}`)).status).toBe(404);
  expect((await member.browser.get("/app")).status).toBe(200);
  expect(await dueOf(later.organization)).not.toBeNull();
  // A slug of an erased organization is free at once.
  await anOrganization(gatehouse, { slug });
});

test("one organization that cannot be erased does not stop the others", async () => {
  const stuck = await anOwner();
  const other = await anOwner();
  await makeDue(stuck.organization);
  await makeDue(other.organization);
  await d1.exec(
    `CREATE TRIGGER stuck BEFORE DELETE ON organization WHEN OLD.id = '${stuck.organization.id}' BEGIN SELECT RAISE(ABORT, 'STUCK'); END`,
  );

  await runHourly();
  expect(await countOf("organization", "id = ?", other.organization.id)).toBe(0);
  expect(await countOf("organization", "id = ?", stuck.organization.id)).toBe(1);
  expect(await actionsOf(stuck.organization)).toEqual([]);

  await d1.exec("DROP TRIGGER stuck");
  await runHourly(2);
  expect(await countOf("organization", "id = ?", stuck.organization.id)).toBe(0);
});

test("50 organizations that cannot be erased do not block the next one", async () => {
  await d1.exec(
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 51)
     INSERT INTO organization (id, name, slug, created_at, deletion_due_at)
     SELECT 'block-' || n, CASE n WHEN 51 THEN 'Last' ELSE 'Stuck' END, 'block-' || n, 1, n FROM counted`.replaceAll(
      "\n",
      " ",
    ),
  );
  await d1.exec(
    "CREATE TRIGGER stuck BEFORE DELETE ON organization WHEN OLD.name = 'Stuck' BEGIN SELECT RAISE(ABORT, 'STUCK'); END",
  );

  await runHourly();
  expect(await countOf("organization", "id = 'block-51'")).toBe(1);
  await runHourly(2);
  expect(await countOf("organization", "id = 'block-51'")).toBe(0);
  expect(await countOf("organization", "name = 'Stuck'")).toBe(50);

  await d1.exec("DROP TRIGGER stuck");
  await runHourly(3);
  expect(await countOf("organization", "name = 'Stuck'")).toBe(0);
});

test("at most 50 organizations are erased in a run, the oldest first", async () => {
  const owner = await aUser(gatehouse);
  const now = Date.now();
  await d1
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 52)
       INSERT INTO organization (id, name, slug, created_at, deletion_due_at)
       SELECT printf('many-%s-%02d', ?1, n), 'Many', printf('many-%s-%02d', ?1, n), ?2, n FROM counted`,
    )
    .bind(owner.id, now)
    .run();

  await runHourly();
  const { results } = await d1
    .prepare("SELECT id FROM organization WHERE name = 'Many' ORDER BY id")
    .all<{ id: string }>();
  expect(results.map(({ id }) => id)).toEqual([`many-${owner.id}-51`, `many-${owner.id}-52`]);
  await runHourly(2);
  expect(await countOf("organization", "name = 'Many'")).toBe(0);
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

test.each([1, 2, 3, 4].flatMap((call) => [`${call} before`, `${call} after`]))(
  "an erasure with a fault at call %s leaves an organization whole or erased with its record",
  async (fault) => {
    const { browser, organization } = await anOwner({ teams: ["Blue"] });
    await makeDue(organization);

    await browser.get("/health", {
      headers: {
        "x-d1-fault": fault,
        "x-d1-cron": "7 * * * *",
        "x-d1-moment": String(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS),
      },
    });
    const isErased = (await countOf("organization", "id = ?", organization.id)) === 0;
    expect(await actionsOf(organization)).toHaveLength(isErased ? 1 : 0);
    expect(await countOf("member", "organization_id = ?", organization.id)).toBe(isErased ? 0 : 1);

    await runHourly(2);
    expect(await actionsOf(organization)).toEqual(["organization.erased"]);
  },
);

test("an account whose organization is being deleted can be deleted too, and the organization goes first", async () => {
  const member = await aUser(gatehouse);
  const { user, browser, organization } = await anOwner({ members: [member] });
  const kept = await anOrganization(gatehouse, {}, { owner: user, members: [member] });

  const account = readText(await (await browser.get("/app/account")).text());
  expect(account).toContain(say("account:deletion.handOver"));
  expect(account).toContain(organization.name);
  const path = `/app/organizations/${kept.organization.slug}/members`;
  expect(await (await browser.get("/app/account")).text()).toContain(`href="${path}"`);
  expect((await browser.submit("/app/account", { intent: "request-deletion" })).status).toBe(409);

  await d1.prepare("DELETE FROM organization WHERE id = ?").bind(kept.organization.id).run();
  await startDeletion(browser, organization);
  expect(readText(await (await browser.get("/app/account")).text())).not.toContain(
    say("account:deletion.handOver"),
  );
  expect(locationOf(await browser.submit("/app/account", { intent: "request-deletion" }))).toBe(
    "/app/account/delete",
  );
  const { code } = await mailbox.mailFor(user.email, (mail) => mail.code !== "");
  await browser.submit("/app/account/delete", { intent: "verify", code });
  await d1.prepare("UPDATE user SET deletion_due_at = 2 WHERE id = ?").bind(user.id).run();
  await makeDue(organization);

  await runHourly();

  expect(await countOf("organization", "id = ?", organization.id)).toBe(0);
  expect(await countOf("user", "id = ?", user.id)).toBe(0);
});

test("an account is not erased while it would leave a restored organization without an owner", async () => {
  const member = await aUser(gatehouse);
  const { user, organization } = await anOwner({ members: [member] });
  await d1
    .prepare("UPDATE organization SET deletion_due_at = 2 WHERE id = ?")
    .bind(organization.id)
    .run();
  await d1.prepare("UPDATE user SET deletion_due_at = 2 WHERE id = ?").bind(user.id).run();
  await d1
    .prepare("UPDATE organization SET deletion_due_at = NULL WHERE id = ?")
    .bind(organization.id)
    .run();

  await runHourly();

  expect(await countOf("user", "id = ?", user.id)).toBe(1);
  expect(await countOf("member", "organization_id = ?", organization.id)).toBe(2);
  await d1.prepare("UPDATE user SET deletion_due_at = NULL WHERE id = ?").bind(user.id).run();
});

test("erasing an account removes invitations to it and by it, and keeps counts and opaque ids", async () => {
  const { user, organization, team } = await anOwner();
  const leaving = await aSignedInUser(gatehouse);
  const own = { organization_id: organization.id };
  await aMember(gatehouse, { ...own, user_id: leaving.user.id, role: "admin" });
  await d1
    .prepare("INSERT INTO team_member (id, team_id, user_id, created_at) VALUES (?1, ?2, ?1, 1)")
    .bind(leaving.user.id, team.id)
    .run();
  await anInvitation(gatehouse, { ...own, inviter_id: leaving.user.id });
  const elsewhere = await anOwner();
  await anInvitation(gatehouse, {
    ...{ organization_id: elsewhere.organization.id, inviter_id: elsewhere.user.id },
    email: leaving.user.email,
  });
  await d1
    .prepare(
      `INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, ip_address, created_at)
       VALUES (?1, 'member.role_changed', ?2, 'organization', ?3, ?4, '203.0.113.7', 1)`,
    )
    .bind(
      crypto.randomUUID(),
      leaving.user.id,
      organization.id,
      JSON.stringify({ member: user.id }),
    )
    .run();
  await d1.prepare("UPDATE user SET deletion_due_at = 1 WHERE id = ?").bind(leaving.user.id).run();

  await runHourly();

  expect(await countOf("user", "id = ?", leaving.user.id)).toBe(0);
  expect(await countOf("invitation", "email = ?", leaving.user.email)).toBe(0);
  expect(await countOf("invitation", "inviter_id = ?", leaving.user.id)).toBe(0);
  const counts = await d1
    .prepare("SELECT member_count FROM organization WHERE id = ?")
    .bind(organization.id)
    .first("member_count");
  expect(counts).toBe(1);
  expect(
    await d1
      .prepare("SELECT member_count FROM team WHERE id = ?")
      .bind(team.id)
      .first("member_count"),
  ).toBe(1);
  const event = await d1
    .prepare("SELECT actor_id, details, ip_address FROM audit_event WHERE target_id = ?")
    .bind(organization.id)
    .first();
  expect(event).toEqual({
    actor_id: leaving.user.id,
    details: JSON.stringify({ member: user.id }),
    ip_address: null,
  });
});
