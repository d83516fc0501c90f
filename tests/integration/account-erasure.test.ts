import { afterAll, expect, test } from "vitest";
import { ACCOUNT, askForDeletion, enterDeletionCode } from "../support/account.ts";
import { accountDeletions } from "../support/account-deletion.ts";
import { choose } from "../support/bulk.ts";
import { newBrowser } from "../support/client.ts";
import { findRow, tryAgain } from "../support/outbox.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  aUserSignedInByCode,
  manyUsers,
  openSession,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
gatehouse.expectErrors("account.erasure_refused", "account.erasure_failed");
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { exists, actionsOf, aUserInGrace, runErasure, anOrganization } = accountDeletions(gatehouse);

test("an expired ban leaves nothing after the erasure", async () => {
  const { user } = await aUserInGrace(7);
  await d1.prepare("UPDATE user SET banned = 1, ban_expires = 1 WHERE id = ?").bind(user.id).run();

  await runErasure();

  expect(await exists(user.id)).toBe(false);
  expect((await d1.prepare("SELECT 1 FROM banned_mailbox").all()).results).toEqual([]);
});

/** Returns every `table.column` of the product that contains a text. */
async function findAnywhere(text: string): Promise<string[]> {
  const { results: tables } = await d1
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%'")
    .all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of tables) {
    const { results } = await d1.prepare(`SELECT * FROM ${name}`).all();
    for (const row of results) {
      for (const [column, value] of Object.entries(row)) {
        if (String(value).toLowerCase().includes(text.toLowerCase()))
          found.push(`${name}.${column}`);
      }
    }
  }
  return [...new Set(found)].sort();
}

/** Lets the cron run as it will when what managers did is kept no longer. */
async function letTracesEnd() {
  await gatehouse.runHourly(new Date(Date.now() + 91 * 86_400_000));
}

test("an erased user leaves only an opaque id in the audit log, 90 days after what managers did", async () => {
  const { user: manager, browser: ofManager } = await anAdmin(gatehouse);
  const name = "Zuberi Kwaheri";
  const old = "kwaheri-before@example.com";
  const { user, browser } = await aSignedInUser(gatehouse, { email: old });
  await browser.submit(ACCOUNT, { intent: "change-name", name });
  const email = "kwaheri@example.com";
  await ofManager.submit(`/manager/users/${user.id}/update`, {
    intent: "save",
    version: "2",
    name,
    email,
    role: "user",
  });
  expect(await findAnywhere(email)).toEqual(expect.arrayContaining(["user.email"]));
  const other = await aUser(gatehouse);
  const organization = await anOrganization([
    [other.id, "owner"],
    [user.id, "member"],
  ]);
  await d1.batch([
    d1
      .prepare(
        "INSERT INTO invitation (id, organization_id, email, expires_at, inviter_id, created_at) VALUES ('i1', ?, ?, 1, ?, 1)",
      )
      .bind(organization, email, other.id),
    d1
      .prepare(
        "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES ('a1', 's1', 'github', ?, 1, 1)",
      )
      .bind(user.id),
    d1
      .prepare(
        "INSERT INTO passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up, created_at) VALUES ('p1', 'k', ?, 'c1', 0, 'x', 0, 1)",
      )
      .bind(user.id),
    d1
      .prepare(
        "INSERT INTO audit_event (id, action, actor_id, target_type, target_id, place, created_at) VALUES ('e1', 'user.updated', ?1, 'user', ?1, 'Kwaheri, KE', 1)",
      )
      .bind(user.id),
  ]);
  await askForCode(newBrowser(gatehouse), email);
  const codes = () => d1.prepare("SELECT count(*) AS n FROM sign_in_code").first<number>("n");
  const guard = await codes();
  const picture = crypto.randomUUID();
  await (await gatehouse.getBucket("AVATARS")).put(picture, "x", {
    customMetadata: { user: user.id },
  });
  await d1.prepare("UPDATE user SET avatar = ? WHERE id = ?").bind(picture, user.id).run();
  const mailsBefore = mailbox.mails.length;
  await enterDeletionCode(browser, await askForDeletion(gatehouse, browser, email));
  await d1
    .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
    .bind(Date.now(), user.id)
    .run();

  await runErasure();
  await tryAgain(gatehouse);
  await expect.poll(() => findRow(gatehouse, email)).toBeNull();
  await gatehouse.runHourly(new Date(Date.now() + 7_200_000));

  expect(await (await gatehouse.getBucket("AVATARS")).head(picture)).toBeNull();
  expect((await ofManager.get("/manager/audit")).status).toBe(200);
  // The manager changed both.
  for (const text of [email, old, name]) {
    expect([text, await findAnywhere(text)]).toEqual([text, ["audit_event.details"]]);
  }
  await letTracesEnd();
  for (const text of [email, old, name, "zuberi", "kwaheri"]) {
    expect([text, await findAnywhere(text)]).toEqual([text, []]);
  }
  expect(await findAnywhere(user.id)).toEqual(["audit_event.actor_id", "audit_event.target_id"]);
  expect(await codes()).toBeLessThan(Number(guard));
  const found = await d1
    .prepare("SELECT count(*) AS n FROM user_search WHERE user_search MATCH '\"kwaheri\"'")
    .first("n");
  expect(found).toBe(0);

  const { results: record } = await d1
    .prepare(
      "SELECT action, actor_id, details, ip_address, user_agent, place FROM audit_event WHERE target_id = ?",
    )
    .bind(user.id)
    .all<Record<string, string | null>>();
  expect(record.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["user.created", "user.signed_in", "user.updated", "user.erased"]),
  );
  for (const { details, ip_address, user_agent, place } of record) {
    expect([details, ip_address, user_agent, place]).toEqual([null, null, null, null]);
  }
  expect(record.find(({ action }) => action === "user.erased")?.actor_id).toBeNull();
  expect(record.filter(({ actor_id }) => actor_id === manager.id)).toHaveLength(1);
  const farewells = mailbox.mails
    .slice(mailsBefore)
    .filter(({ to, subject }) => to === email && subject === say("mail:deletionDone.subject"));
  expect(farewells).toHaveLength(1);
  // The e-mail can sign up again.
  expect((await askForCode(newBrowser(gatehouse), email)).status).toBe(302);
});

test.each(["the user's screen", "the list"])(
  "a manager's Delete on %s erases as much as the user's own deletion",
  async (place) => {
    const { user: manager, browser: ofManager } = await anAdmin(gatehouse);
    const name = "Wema Kabisa";
    const email = `wema.kabisa.${place === "the list" ? 1 : 2}@example.com`;
    const { user, browser } = await aUserSignedInByCode(gatehouse, { email });
    await browser.submit(ACCOUNT, { intent: "change-name", name });
    await d1
      .prepare("UPDATE user SET banned = 1, ban_reason = 'Kabisa' WHERE id = ?")
      .bind(user.id)
      .run();
    await askForCode(newBrowser(gatehouse), email);

    if (place === "the list") {
      await choose(ofManager, "/manager/users", [user.id], { intent: "delete" });
    } else await ofManager.submit(`/manager/users/${user.id}`, { intent: "delete" });

    expect(await exists(user.id)).toBe(false);
    for (const text of [email, name, "kabisa"]) {
      expect([text, await findAnywhere(text)]).toEqual([text, []]);
    }
    expect(await findAnywhere(user.id)).toEqual(["audit_event.actor_id", "audit_event.target_id"]);
    const { results } = await d1
      .prepare(
        "SELECT * FROM audit_event WHERE target_id = ?1 OR actor_id = ?1 ORDER BY created_at",
      )
      .bind(user.id)
      .all<Record<string, string | null>>();
    const deletion = results.pop();
    expect(deletion).toMatchObject({ action: "user.deleted", actor_id: manager.id, details: null });
    expect(results.map(({ action }) => action)).toContain("user.signed_in");
    for (const { details, ip_address, user_agent, place: location } of results) {
      expect([details, ip_address, user_agent, location]).toEqual([null, null, null, null]);
    }
    // The ban outlives the account.
    expect(await d1.prepare("SELECT count(*) AS n FROM banned_mailbox").first("n")).toBe(1);
    await d1.exec("DELETE FROM banned_mailbox");
  },
);

/** An admin makes a helper admin, who takes a person's account over. Returns all of them, and the thief's mailbox. */
async function aTakeover(mailbox: string) {
  const { browser: root } = await anAdmin(gatehouse);
  const { user: helper, browser: ofHelper } = await anAdmin(gatehouse, {
    email: `helper-of-${mailbox}`,
  });
  const { user: victim } = await aSignedInUser(gatehouse);
  const taken = await ofHelper.submit(`/manager/users/${victim.id}/update`, {
    intent: "save",
    version: "1",
    name: victim.name,
    email: mailbox,
    role: "user",
  });
  expect(taken.status).toBe(302);
  return { root, helper, ofHelper, victim };
}

test.each([
  ["the manager", ["helper"]],
  ["the target", ["victim"]],
  ["both", ["helper", "victim"]],
] as const)(
  "what a manager did keeps origin and details for 90 days after the deletion of %s",
  async (name, deleted) => {
    const mailbox = `thief-of-${name.replace(" ", "-")}@example.com`;
    const { root, ofHelper, ...people } = await aTakeover(mailbox);
    const act = () =>
      d1
        .prepare(
          "SELECT ip_address AS ip, details FROM audit_event WHERE action = 'user.updated' AND target_id = ? AND actor_id = ?",
        )
        .bind(people.victim.id, people.helper.id)
        .first<{ ip: string | null; details: string | null }>();

    for (const who of deleted) {
      await root.submit(`/manager/users/${people[who].id}`, { intent: "delete" });
      expect(await exists(people[who].id)).toBe(false);
    }

    expect(await act()).toEqual({
      ip: ofHelper.ipAddress,
      details: expect.stringContaining(mailbox),
    });
    await gatehouse.runHourly(new Date(Date.now() + 89 * 86_400_000));
    expect(await act()).toMatchObject({ ip: ofHelper.ipAddress });
    await letTracesEnd();
    // What was done to a person who is still there is part of their record.
    const isThere = name === "the manager";
    expect(await act()).toEqual({
      ip: null,
      details: isThere ? expect.stringContaining(mailbox) : null,
    });
    expect(await d1.prepare("SELECT count(*) AS n FROM erased_account").first("n")).toBe(0);
  },
);

test("the log says for 90 days who a deleted manager was, also one who was first demoted", async () => {
  const { user: first, browser: root } = await anAdmin(gatehouse);
  const { user: deleted } = await anAdmin(gatehouse, { email: "deleted-manager@example.com" });
  const { user: demoted, browser } = await anAdmin(gatehouse, {
    email: "demoted-manager@example.com",
  });
  await browser.submit("/manager/organizations/new", {
    name: "Made by a manager",
    ownerEmail: first.email,
  });
  await choose(root, "/manager/users", [demoted.id], { intent: "set-role", role: "user" });
  for (const { id } of [deleted, demoted]) {
    await root.submit(`/manager/users/${id}`, { intent: "delete" });
  }

  for (const { email } of [deleted, demoted]) {
    expect([email, await findAnywhere(email)]).toEqual([email, ["audit_event.details"]]);
  }
  const originOfOrganization = () =>
    d1
      .prepare(
        "SELECT ip_address FROM audit_event WHERE action = 'organization.created' AND actor_id = ?",
      )
      .bind(demoted.id)
      .first("ip_address");
  expect(await originOfOrganization()).toBe(browser.ipAddress);

  await letTracesEnd();

  for (const { email } of [deleted, demoted]) {
    expect([email, await findAnywhere(email)]).toEqual([email, []]);
  }
  expect(await originOfOrganization()).toBeNull();
});

test("the manager's own sign-ins lose their origin with the account", async () => {
  const { browser: root } = await anAdmin(gatehouse);
  const { user, browser } = await aUserSignedInByCode(gatehouse, { role: "admin" });

  await root.submit(`/manager/users/${user.id}`, { intent: "delete" });

  expect(await exists(user.id)).toBe(false);
  expect(await findAnywhere(browser.ipAddress)).toEqual([]);
});

test("an account is not erased early, and not after its deletion was cancelled", async () => {
  const { user: early } = await aUserInGrace(6.9);
  const { user: kept, browser } = await aUserInGrace(7.1);
  await browser.submit("/restore", {});

  await runErasure();

  expect(await exists(early.id)).toBe(true);
  expect(await exists(kept.id)).toBe(true);
  expect(await actionsOf(kept.id)).not.toContain("user.erased");
});

test("concurrent cron runs erase each account once and send one mail", async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => aUserInGrace(8)));

  await Promise.all([runErasure(), runErasure(), runErasure()]);
  await Promise.all([1, 2, 3].map(() => tryAgain(gatehouse)));
  for (const { user } of people) await expect.poll(() => findRow(gatehouse, user.email)).toBeNull();

  for (const { user } of people) {
    expect(await exists(user.id)).toBe(false);
    const erased = (await actionsOf(user.id)).filter((action) => action === "user.erased");
    expect(erased).toHaveLength(1);
    const farewells = mailbox.mails.filter(
      ({ to, subject }) => to === user.email && subject === say("mail:deletionDone.subject"),
    );
    expect(farewells).toHaveLength(1);
  }
});

test("an account that cannot be erased delays no other, and is erased when it can be", async () => {
  const { user: stuck } = await aUserInGrace(9);
  const { user: owner } = await aUserInGrace(8.5);
  const other = await aUser(gatehouse);
  const organization = await anOrganization([
    [owner.id, "owner"],
    [other.id, "member"],
  ]);
  const { user: next } = await aUserInGrace(8);
  await d1.exec(
    `CREATE TRIGGER stuck BEFORE DELETE ON user WHEN OLD.id = '${stuck.id}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  );

  await runErasure();
  expect([await exists(stuck.id), await exists(owner.id), await exists(next.id)]).toEqual([
    true,
    true,
    false,
  ]);
  // The transaction was rolled back as a whole.
  const { results } = await d1
    .prepare("SELECT ip_address FROM audit_event WHERE target_id = ? AND action = 'user.signed_in'")
    .bind(stuck.id)
    .all<{ ip_address: string | null }>();
  expect(results.map(({ ip_address }) => ip_address)).not.toContain(null);

  await d1.exec("DROP TRIGGER stuck");
  await d1.prepare("DELETE FROM organization WHERE id = ?").bind(organization).run();
  await runErasure(2);
  expect([await exists(stuck.id), await exists(owner.id)]).toEqual([false, false]);
});

test("50 accounts that cannot be erased do not block the next one", async () => {
  // Accounts of other tests, due within the hours of this one, would take places.
  await d1.exec("UPDATE user SET deletion_due_at = NULL WHERE deletion_due_at IS NOT NULL");
  const due = (count: number, deletion_due_at: number) =>
    Array.from({ length: count }, () => ({ name: "Stuck", deletion_due_at }));
  await manyUsers(gatehouse, due(50, 1));
  const [last] = await manyUsers(
    gatehouse,
    due(1, 2).map((row) => ({ ...row, name: "Last" })),
  );
  await d1.exec(
    "CREATE TRIGGER stuck BEFORE DELETE ON user WHEN OLD.name = 'Stuck' BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );

  // A run tries 50.
  await runErasure();
  expect(await exists(last?.id ?? "")).toBe(true);
  await runErasure(2);
  expect(await exists(last?.id ?? "")).toBe(false);

  await d1.exec("DROP TRIGGER stuck");
  await runErasure(3);
  expect(await d1.prepare("SELECT id FROM user WHERE name = 'Stuck'").first()).toBeNull();
});

test("an erasure keeps another user's mails to an e-mail that the erased user once had", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { browser: ofManager } = await anAdmin(gatehouse);
  const left = user.email;
  await ofManager.submit(`/manager/users/${user.id}/update`, {
    intent: "save",
    version: "1",
    name: user.name,
    email: `moved-${left}`,
    role: "user",
  });
  // The e-mail change ended the user's sessions.
  await openSession(gatehouse, browser, user.id);
  const heir = await aUserSignedInByCode(gatehouse, { email: left });
  await enterDeletionCode(browser, await askForDeletion(gatehouse, browser, `moved-${left}`));
  await d1.prepare("UPDATE user SET deletion_due_at = 1 WHERE id = ?").bind(user.id).run();

  await runErasure();

  expect(await exists(user.id)).toBe(false);
  const kept = await d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(left)
    .first<number>("n");
  expect(kept).toBeGreaterThan(0);
  expect((await heir.browser.get("/app")).status).toBe(200);
});
