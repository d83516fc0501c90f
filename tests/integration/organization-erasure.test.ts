import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { locationOf, readText } from "../support/client.ts";
import { organizationDeletions, startDeletion } from "../support/organization-deletion.ts";
import { aMember, anInvitation, anOrganization } from "../support/organizations.ts";
import { aSignedInUser, aUser } from "../support/people.ts";
import { aPicture } from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const HOUR_MS = 3_600_000;

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
gatehouse.tolerateErrors();
const { d1, mailbox } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { dueOf, makeDue, actionsOf, countOf, anOwner, runErasure } =
  organizationDeletions(gatehouse);

test("the cron erases what is due, with its name on record, and leaves the rest", async () => {
  const member = await aSignedInUser(gatehouse);
  const due = await anOwner({ members: [member.user], invitations: [{}] });
  const later = await anOwner();
  await startDeletion(later.browser, later.organization);
  await startDeletion(due.browser, due.organization);
  await makeDue(due.organization);
  const logo = crypto.randomUUID();
  await (await gatehouse.getBucket("AVATARS")).put(`logos/${logo}`, aPicture(), {
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

  await runErasure(3);
  await gatehouse.runHourly(new Date(Date.now() + 4 * HOUR_MS));

  const { id, name, slug } = due.organization;
  expect(await countOf("organization", "id = ?", id)).toBe(0);
  for (const table of ["member", "invitation"]) {
    expect(await countOf(table, "organization_id = ?", id)).toBe(0);
  }
  expect(await countOf("session", "active_organization_id = ?", id)).toBe(0);
  expect(await (await gatehouse.getBucket("AVATARS")).head(`logos/${logo}`)).toBeNull();
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

  await runErasure();
  expect(await countOf("organization", "id = ?", other.organization.id)).toBe(0);
  expect(await countOf("organization", "id = ?", stuck.organization.id)).toBe(1);
  expect(await actionsOf(stuck.organization)).toEqual([]);

  await d1.exec("DROP TRIGGER stuck");
  await runErasure(2);
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

  await runErasure();
  expect(await countOf("organization", "id = 'block-51'")).toBe(1);
  await runErasure(2);
  expect(await countOf("organization", "id = 'block-51'")).toBe(0);
  expect(await countOf("organization", "name = 'Stuck'")).toBe(50);

  await d1.exec("DROP TRIGGER stuck");
  await runErasure(3);
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

  await runErasure();
  const { results } = await d1
    .prepare("SELECT id FROM organization WHERE name = 'Many' ORDER BY id")
    .all<{ id: string }>();
  expect(results.map(({ id }) => id)).toEqual([`many-${owner.id}-51`, `many-${owner.id}-52`]);
  await runErasure(2);
  expect(await countOf("organization", "name = 'Many'")).toBe(0);
});

test.each([1, 2, 3, 4].flatMap((call) => [`${call} before`, `${call} after`]))(
  "an erasure with a fault at call %s leaves an organization whole or erased with its record",
  async (fault) => {
    const { browser, organization } = await anOwner();
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

    await runErasure(2);
    expect(await actionsOf(organization)).toEqual(["organization.erased"]);
  },
);

test("an account whose organization is being deleted can be deleted too, and the organization goes first", async () => {
  const member = await aUser(gatehouse);
  const { user, browser, organization } = await anOwner({ members: [member] });
  const kept = await anOrganization(gatehouse, {}, { owner: user, members: [member] });

  const account = readText(await (await browser.get("/app/account")).text());
  expect(account).toContain(say("account:deletion.handOver", { count: 2 }));
  expect(account).toContain(organization.name);
  const linkTo = ({ slug }: { slug: string }) => `href="/app/organizations/${slug}/members"`;
  const page = await (await browser.get("/app/account")).text();
  for (const one of [organization, kept.organization]) expect(page).toContain(linkTo(one));
  expect((await browser.submit("/app/account", { intent: "request-deletion" })).status).toBe(409);

  await d1.prepare("DELETE FROM organization WHERE id = ?").bind(kept.organization.id).run();
  await startDeletion(browser, organization);
  expect(await (await browser.get("/app/account")).text()).not.toContain(linkTo(organization));
  expect(locationOf(await browser.submit("/app/account", { intent: "request-deletion" }))).toBe(
    "/app/account/delete",
  );
  const { code } = await mailbox.mailFor(user.email, (mail) => mail.code !== "");
  await browser.submit("/app/account/delete", { intent: "verify", code });
  await d1.prepare("UPDATE user SET deletion_due_at = 2 WHERE id = ?").bind(user.id).run();
  await makeDue(organization);

  await runErasure();

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

  await runErasure();

  expect(await countOf("user", "id = ?", user.id)).toBe(1);
  expect(await countOf("member", "organization_id = ?", organization.id)).toBe(2);
  await d1.prepare("UPDATE user SET deletion_due_at = NULL WHERE id = ?").bind(user.id).run();
});

test("erasing an account removes invitations to it and by it, and keeps counts and opaque ids", async () => {
  const { user, organization } = await anOwner();
  const leaving = await aSignedInUser(gatehouse);
  const own = { organization_id: organization.id };
  await aMember(gatehouse, { ...own, user_id: leaving.user.id, role: "admin" });
  await anInvitation(gatehouse, { ...own, inviter_id: leaving.user.id });
  const elsewhere = await anOwner();
  await anInvitation(gatehouse, {
    organization_id: elsewhere.organization.id,
    inviter_id: elsewhere.user.id,
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

  await runErasure();

  expect(await countOf("user", "id = ?", leaving.user.id)).toBe(0);
  expect(await countOf("invitation", "email = ?", leaving.user.email)).toBe(0);
  expect(await countOf("invitation", "inviter_id = ?", leaving.user.id)).toBe(0);
  const counts = await d1
    .prepare("SELECT member_count FROM organization WHERE id = ?")
    .bind(organization.id)
    .first("member_count");
  expect(counts).toBe(1);
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
