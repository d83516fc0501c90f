import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { alertsOf, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import {
  anAdmin,
  askForCode,
  aUser,
  newEmail,
  openSession,
  type Person,
  signIn,
} from "../../../../tests/support/people.ts";
import { isFull, RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import {
  change,
  finish,
  IMPORT,
  openImportOf,
  ring,
  runWithoutAlarm,
  screenOf,
  sendLines,
  start,
  stateOf,
  upload,
  wakeLater,
} from "./imports-of-users.ts";

const LISTED = newEmail("listed");
const DAY_MS = 86_400_000;
const WRONG_LINES = `${IMPORT}/wrong-lines`;

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: LISTED, PLAN: "paid" } });
afterAll(() => gatehouse[Symbol.asyncDispose]());

let files = 0;

/** Returns rows with new e-mails: no other file has them. */
function newPeople(count: number): string[][] {
  files += 1;
  return Array.from({ length: count }, (_, index) => [
    `imported-${files}-${index}@example.com`,
    `Person ${index}`,
  ]);
}

function emailsOf(rows: string[][]): string[] {
  return rows.map(([email = ""]) => email);
}

function rowOf(email: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE email = ?").bind(email).first<Person>();
}

async function count(from: string, emails: string[]): Promise<number> {
  const { results } = await gatehouse.d1
    .prepare(`SELECT ${from} IN (SELECT value FROM json_each(?))`)
    .bind(JSON.stringify(emails))
    .all<{ n: number }>();
  return results[0]?.n ?? -1;
}

const usersAmong = (emails: string[]) => count("count(*) AS n FROM user WHERE email", emails);
const mailsTo = (emails: string[]) =>
  count("count(*) AS n FROM mail_outbox WHERE kind = 'user-added' AND recipient", emails);
const createdEventsOf = (emails: string[]) =>
  count(
    "count(*) AS n FROM audit_event JOIN user ON user.id = target_id AND action = 'user.created' WHERE email",
    emails,
  );

async function importsOf(userId: string) {
  const { results } = await gatehouse.d1
    .prepare(
      "SELECT action, details FROM audit_event WHERE actor_id = ? AND action LIKE 'users.%' ORDER BY created_at",
    )
    .bind(userId)
    .all<{ action: string; details: string }>();
  return results.map(({ action, details }) => ({ action, ...JSON.parse(details) }));
}

test("each line that no user can be made of is refused with its field and its reason", async () => {
  const { user: known } = await anAdmin(gatehouse);
  const banned = await aUser(gatehouse, { banned: 1 });
  const gone = newEmail("gone");
  const hash = await mailboxHash(gone);
  await gatehouse.d1.prepare("INSERT INTO banned_mailbox VALUES (?, NULL)").bind(hash).run();
  await gatehouse.d1.exec("INSERT INTO access_domain VALUES ('blocked.example', 'blocked')");
  const { browser, user } = await anAdmin(gatehouse);
  const [[fresh = "", name = ""] = []] = newPeople(1);
  const file = [
    "Role;Full name;E-mail;Language;Note",
    `;${name};${fresh};fr;`,
    `;Known;${known.email.toUpperCase()};;`,
    ";Nobody;;;",
    ";Nobody;not an e-mail;;",
    `;Nobody;${"x".repeat(250)}@example.com;;`,
    `;www.example.com;${newEmail()};;`,
    `pilot;Nobody;${newEmail()};;`,
    `;Nobody;${newEmail()};Klingon;`,
    `;Again; ${fresh} ;;`,
    `;Banned;${banned.email};;`,
    `;Gone;${gone};;`,
    `;Listed;${LISTED};;`,
    ";Blocked;a@mail.blocked.example;;",
  ].join("\r\n");

  const response = await upload(browser, file);

  expect(locationOf(response)).toBe(IMPORT);
  const { text, rows } = await screenOf(browser);
  expect(text).toContain("New users 1 Existing users 1 Can't be imported 11");
  expect(text).toContain("Create 1 user");
  expect(text).toContain("Columns read: Email, Name, Role and Language Columns left out: Note");
  expect(rows.slice(-11)).toEqual([
    ["4", "Email", "empty", "Email is required"],
    ["5", "Email", "not an e-mail", "Email is invalid"],
    ["6", "Email", `${"x".repeat(250)}@example.com`, "Must be at most 254 characters"],
    ["7", "Name", "www.example.com", "A name can't contain a web address"],
    ["8", "Role", "pilot", "Unknown role. Use admin, support, auditor or user"],
    ["9", "Language", "Klingon", "Unknown language"],
    ["10", "Email", fresh, "An earlier line has this email"],
    ["11", "Email", banned.email, "This mailbox is banned"],
    ["12", "Email", gone, "This mailbox is banned"],
    [
      ...["13", "Email", LISTED],
      "This email is listed in ADMIN_EMAILS: its owner becomes an admin by signing in",
    ],
    [
      ...["14", "Email", "a@mail.blocked.example"],
      "The access settings refuse email addresses at this domain",
    ],
  ]);
  expect(await usersAmong([fresh])).toBe(0);

  const id = await openImportOf(gatehouse, user.id);
  expect(locationOf(await start(browser, id))).toBe(IMPORT);
  await finish(gatehouse, id);
  expect((await screenOf(browser)).text).toContain(
    "Import finished Created 1 Existing users 1 Can't be imported 11",
  );
  expect(await rowOf(fresh)).toMatchObject({ name, language: "fr", role: "user" });
  const counts = { lines: 13, known: 1, wrong: 11 };
  expect(await importsOf(user.id)).toEqual([
    { action: "users.import_started", ...counts, left: 1 },
    { action: "users.imported", ...counts, created: 1, left: 0, invitations: 0 },
  ]);
  await gatehouse.d1.exec("DELETE FROM access_domain");
});

/** Returns the keyed hash by which a ban outlives its account. */
async function mailboxHash(email: string): Promise<string> {
  const { createKeys } = await import("../../../runtime/keys.server.ts");
  const { mailboxOf } = await import("../../auth/mailbox.ts");
  return mailboxOf(createKeys(gatehouse.secret), email);
}

test("an imported person is as one that a manager creates, but proves the e-mail with the first code", async () => {
  const { browser, user: manager } = await anAdmin(gatehouse);
  const [made, imported] = [newEmail("made"), newEmail("imported")];
  await browser.submit("/manager/users/new", {
    name: "Zuri Ōkami",
    email: made,
    role: "support",
  });
  const id = await sendLines(browser, [[imported.toUpperCase(), " Zuri  Ōkami ", "Support"]]);

  await start(browser, id);
  await finish(gatehouse, id);

  const [one, other] = [await rowOf(made), await rowOf(imported)];
  const asMade = (row: Person | null) => ({
    ...row,
    id: "",
    email: "",
    search_key: row?.search_key.replace(row.email, ""),
    created_at: 0,
    updated_at: 0,
    email_verified: 1,
    // No mail was sent to the imported user.
    invitation: null,
  });
  expect(asMade(other)).toEqual(asMade(one));
  expect(other?.email_verified).toBe(0);
  expect(await auditOf(gatehouse, other?.id ?? "")).toEqual([
    { action: "user.created", actorId: manager.id, details: null },
  ]);
  await gatehouse.mailbox.mailFor(made);
  expect(await mailsTo([imported])).toBe(0);

  const own = newBrowser(gatehouse);
  expect(locationOf(await signIn(gatehouse, own, imported))).toBe("/onboarding");
  expect((await rowOf(imported))?.email_verified).toBe(1);
});

test("invitations wait behind other mails, each in its reader's language, and leave", async () => {
  const { browser, user } = await anAdmin(gatehouse, { language: "fr" });
  const [plain, swahili] = [newEmail("plain"), newEmail("swahili")];
  const id = await sendLines(browser, [
    [plain, "A"],
    [swahili, "B", "", "sw"],
  ]);

  await start(browser, id, true);

  expect((await gatehouse.mailbox.mailFor(plain)).subject).toBe("Invitation à rejoindre Gatehouse");
  const mail = await gatehouse.mailbox.mailFor(swahili);
  expect(mail.subject).toContain("Gatehouse");
  expect(mail.subject).not.toContain("Invitation");
  expect(mail.link).toBe(`${gatehouse.origin}/login?email=${encodeURIComponent(swahili)}`);
  const { results } = await gatehouse.d1
    .prepare("SELECT expires_at - created_at AS ms FROM mail_outbox WHERE recipient = ?")
    .bind(swahili)
    .all();
  expect(results).toEqual([{ ms: 28 * DAY_MS }]);
  await finish(gatehouse, id);
  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 2, invitations: 2 });
});

test("invitations leave at the provider's pace, and a code goes before those that wait", async () => {
  const { browser } = await anAdmin(gatehouse);
  const people = newPeople(12);
  const emails = emailsOf(people);
  const left = () => gatehouse.mailbox.mails.filter(({ to }) => emails.includes(to)).length;
  const id = await sendLines(browser, people);
  gatehouse.mailbox.limitTo({ requests: 2, windowMs: 400 });
  const code = newEmail("hurried");

  await start(browser, id, true);
  await finish(gatehouse, id);
  await askForCode(newBrowser(gatehouse), code);
  await gatehouse.mailbox.codeFor(code);

  expect(left()).toBeLessThan(12);
  await expect.poll(left).toBe(12);
  gatehouse.mailbox.limitTo({ requests: 10_000, windowMs: 1_000 });
});

test("a mailbox that has had its mails of the day gets no invitation", async () => {
  const { browser } = await anAdmin(gatehouse);
  const [full, free] = [newEmail("full"), newEmail("free")];
  await gatehouse.d1
    .prepare(
      `INSERT INTO mail_outbox (id, kind, recipient, language, state, next_try_at, expires_at, created_at)
      SELECT 'full-' || value, 'user-added', ?1, 'en', 'sent', 0, ?2, ?2
      FROM json_each(?3)`,
    )
    .bind(full, Date.now(), JSON.stringify(Array.from({ length: 300 }, (_, index) => index)))
    .run();
  const id = await sendLines(browser, [[full], [free]]);

  await start(browser, id, true);

  await gatehouse.mailbox.mailFor(free);
  expect([await usersAmong([full, free]), await mailsTo([full])]).toEqual([2, 300]);
});

test("the same file and the same start at once make nothing twice", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { browser, user } = await anAdmin(gatehouse);
    const people = newPeople(250);
    const emails = emailsOf(people);
    const sent = await Promise.all([1, 2, 3].map(() => upload(browser, emails.join("\n"))));
    expect(sent.map((one) => locationOf(one))).toEqual([IMPORT, IMPORT, IMPORT]);
    const id = await openImportOf(gatehouse, user.id);
    expect((await screenOf(browser)).text).toContain("New users 250");

    await Promise.all([1, 2, 3].map(() => start(browser, id, true)));
    await finish(gatehouse, id);
    expect((await change(browser, "continue", id)).status).toBe(400);

    expect(await usersAmong(emails)).toBe(250);
    expect([await createdEventsOf(emails), await mailsTo(emails)]).toEqual([250, 250]);
    expect((await importsOf(user.id)).map(({ action }) => action)).toEqual([
      "users.import_started",
      "users.imported",
    ]);
    expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 250, known: 0, wrong: 0 });
  }
});

test("two managers who import the same file at once make each user once", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const [one, other] = [await anAdmin(gatehouse), await anAdmin(gatehouse)];
    const people = newPeople(230);
    const ids = await Promise.all([one, other].map(({ browser }) => sendLines(browser, people)));

    await Promise.all(
      [one, other].map(async ({ browser }, index) => {
        await start(browser, ids[index] ?? "", true);
        await finish(gatehouse, ids[index] ?? "");
      }),
    );

    const emails = emailsOf(people);
    expect(await usersAmong(emails)).toBe(230);
    expect([await createdEventsOf(emails), await mailsTo(emails)]).toEqual([230, 230]);
    const ends = [await importsOf(one.user.id), await importsOf(other.user.id)].map((all) =>
      all.at(-1),
    );
    const total = (field: string) => ends.reduce((sum, end) => sum + (end?.[field] ?? 0), 0);
    expect([total("created"), total("known"), total("wrong")]).toEqual([230, 230, 0]);
  }
});

test("an import that was stopped goes on where it was, also in another browser, and only for its manager", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const { browser: stranger } = await anAdmin(gatehouse);
  const people = newPeople(240);
  const id = await sendLines(browser, people);
  await runWithoutAlarm(gatehouse, id);
  await ring(gatehouse, id);

  expect((await screenOf(browser)).text).toContain("100 of 240 lines Created 100");
  await change(stranger, "stop", id);
  await change(stranger, "close", id);
  expect(await stateOf(gatehouse, id)).toBe("running");
  expect(locationOf(await change(browser, "stop", id))).toBe(IMPORT);
  expect((await screenOf(browser)).text).toContain("Import stopped 100 of 240 lines");
  expect((await change(stranger, "continue", id)).status).toBe(400);
  await wakeLater(gatehouse);
  expect(await usersAmong(emailsOf(people))).toBe(100);

  // A second file is not begun before the first is finished.
  const second = await upload(browser, newEmail());
  expect(alertsOf(await second.text())[0]).toContain("Another import of yours is not finished");
  const elsewhere = newBrowser(gatehouse);
  await openSession(gatehouse, elsewhere, user.id);
  expect(locationOf(await change(elsewhere, "continue", id))).toBe(IMPORT);
  await finish(gatehouse, id);
  expect(await usersAmong(emailsOf(people))).toBe(240);
  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 240, left: 0 });
});

test("without JavaScript the screen says how far an import is, with a link to ask again", async () => {
  const { browser } = await anAdmin(gatehouse);
  const id = await sendLines(browser, newPeople(120));
  await runWithoutAlarm(gatehouse, id);
  await ring(gatehouse, id);

  const page = readPage(await (await browser.get(IMPORT)).text());

  expect(page.text()).toContain("Creating users 100 of 120 lines");
  expect(page.linkTo("See how far it is")).toBe(IMPORT);
});

test("an import that is ended keeps what it has made, tells how many are left, and makes no more", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(230);
  const id = await sendLines(browser, people);
  await runWithoutAlarm(gatehouse, id);
  await ring(gatehouse, id);
  await change(browser, "stop", id);

  const ended = await change(browser, "close", id);

  expect(locationOf(ended)).toBe(IMPORT);
  expect((await change(browser, "continue", id)).status).toBe(400);
  expect(await ring(gatehouse, id)).toBeUndefined();
  expect(await usersAmong(emailsOf(people))).toBe(100);
  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 100, left: 130 });
  const left = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM user_import_line WHERE import_id = ?")
    .bind(id)
    .first();
  expect(left).toEqual({ n: 0 });
  expect((await screenOf(browser)).text).toContain("CSV file");
});

test("what has changed since the check counts: users, bans and rules", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(5);
  const [one = "", two = "", three = "", four = ""] = emailsOf(people);
  const blocked = "late@late.example";
  const id = await sendLines(browser, [...people, [blocked, "Late"]]);
  await aUser(gatehouse, { email: one });
  await aUser(gatehouse, { email: two, banned: 1 });
  await gatehouse.d1
    .prepare("INSERT INTO banned_mailbox VALUES (?, NULL)")
    .bind(await mailboxHash(three))
    .run();
  await gatehouse.d1.exec("INSERT INTO access_domain VALUES ('late.example', 'blocked')");

  await start(browser, id);
  await finish(gatehouse, id);

  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 2, known: 1, wrong: 3 });
  expect([await usersAmong([three, blocked]), await usersAmong([four])]).toEqual([0, 1]);
  const { rows } = await screenOf(browser);
  expect(rows.slice(-3)).toEqual([
    ["2", "Email", two, "This mailbox is banned"],
    ["3", "Email", three, "This mailbox is banned"],
    ["6", "Email", blocked, "The access settings refuse email addresses at this domain"],
  ]);
  await gatehouse.d1.exec("DELETE FROM access_domain");
});

test("a manager whose right is taken, who is banned or whose session ends makes no further user", async () => {
  const lose = [
    ["UPDATE user SET role = 'support' WHERE id = ?", 403],
    ["UPDATE user SET banned = 1 WHERE id = ?", 302],
    ["DELETE FROM session WHERE user_id = ?", 302],
  ] as const;
  for (const [statement, status] of lose) {
    const { browser, user } = await anAdmin(gatehouse);
    const people = newPeople(120);
    const id = await sendLines(browser, people);
    await runWithoutAlarm(gatehouse, id);
    await ring(gatehouse, id);

    await gatehouse.d1.prepare(statement).bind(user.id).run();
    await wakeLater(gatehouse);

    await expect.poll(() => stateOf(gatehouse, id)).toBe("stopped");
    expect(await usersAmong(emailsOf(people))).toBe(100);
    for (const response of [
      await change(browser, "continue", id),
      await upload(browser, "x@example.com"),
    ]) {
      expect(response.status).toBe(status);
      expect(locationOf(response) ?? "").not.toBe(IMPORT);
    }
    expect(await stateOf(gatehouse, id)).toBe("stopped");
    // With the right and a session again, its manager continues it.
    await gatehouse.d1
      .prepare("UPDATE user SET role = 'admin', banned = 0 WHERE id = ?")
      .bind(user.id)
      .run();
    const again = newBrowser(gatehouse);
    await openSession(gatehouse, again, user.id);
    await change(again, "continue", id);
    await finish(gatehouse, id);
    expect(await usersAmong(emailsOf(people))).toBe(120);
  }
});

test("a start needs a fresh proof, and what follows does not", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const stale = () =>
    gatehouse.d1
      .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
      .bind(Date.now() - DAY_MS, user.id)
      .run();
  const people = newPeople(120);
  await stale();
  const id = await sendLines(browser, people);

  const refused = await start(browser, id);

  expect(locationOf(refused)).toBe(`/manager/account/confirm?next=${encodeURIComponent(IMPORT)}`);
  expect(await usersAmong(emailsOf(people))).toBe(0);
  expect((await screenOf(browser)).text).toContain("We may ask you to confirm it's you");
  await gatehouse.d1
    .prepare("UPDATE session SET authenticated_at = ? WHERE user_id = ?")
    .bind(Date.now(), user.id)
    .run();
  await start(browser, id);
  await stale();
  await finish(gatehouse, id);
  expect(await usersAmong(emailsOf(people))).toBe(120);
});

/** Makes a manager's sessions too old for a proved act. */
function makeStale(userId: string) {
  return gatehouse.d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - DAY_MS, userId)
    .run();
}

test("everybody who gets a manager's role is shown before the start, by e-mail and role", async () => {
  const { browser } = await anAdmin(gatehouse);
  const [admin = "", both = "", ...plain] = emailsOf(newPeople(5));
  const { user: known } = await anAdmin(gatehouse);
  await upload(
    browser,
    [
      "email,role",
      `${admin},admin`,
      `${both},support+auditor`,
      `${known.email},admin`,
      ...plain,
    ].join("\n"),
  );

  const { text } = await screenOf(browser);

  expect(text).toContain(
    `They will have access to the back-office: 2 ${admin} Admin ${both} Support and Auditor`,
  );
  expect(text).toContain("Other new users, without access to the back-office: 3");
});

test("lines with a manager's role need a fresh proof when they are read", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  await makeStale(user.id);
  const [email = ""] = emailsOf(newPeople(1));
  const text = `email,role\n${email},support`;

  const refused = await browser.submit(IMPORT, { intent: "upload", text });

  const confirm = `/manager/account/confirm?next=${encodeURIComponent(IMPORT)}`;
  expect(locationOf(refused)).toBe(confirm);
  expect(locationOf(await upload(browser, `${email},Eve,admin`))).toBe(confirm);
  expect(await openImportOf(gatehouse, user.id)).toBe("");
  // Ordinary lines need none, nor does a manager whose proof is fresh.
  expect(locationOf(await upload(browser, "email,role\na-plain@example.com,user"))).toBe(IMPORT);
  const fresh = newBrowser(gatehouse);
  await openSession(gatehouse, fresh, user.id);
  await fresh.submit(IMPORT, {
    intent: "close-import",
    import: await openImportOf(gatehouse, user.id),
  });
  expect(locationOf(await upload(fresh, text))).toBe(IMPORT);
});

test("lines that one session has read are neither started nor replaced by another", async () => {
  const { browser: stale, user } = await anAdmin(gatehouse);
  await makeStale(user.id);
  const planted = newPeople(2);
  const id = await sendLines(stale, planted);
  const honest = newBrowser(gatehouse);
  await openSession(gatehouse, honest, user.id);

  const page = await screenOf(honest);
  expect(page.text).toContain("These lines were read in another session of yours.");
  expect(page.text).not.toContain("Create 2 users");
  expect((await start(honest, id)).status).toBe(400);
  const own = newPeople(1);
  const replaced = await upload(honest, emailsOf(own).join("\n"));
  expect(alertsOf(await replaced.text())[0]).toContain("Lines from another session of yours");
  expect(await openImportOf(gatehouse, user.id)).toBe(id);

  await honest.submit(IMPORT, { intent: "close-import", import: id });
  const mine = await sendLines(honest, own);
  await gatehouse.d1
    .prepare("UPDATE session SET authenticated_at = ? WHERE user_id = ?")
    .bind(Date.now(), user.id)
    .run();
  expect((await start(stale, mine)).status).toBe(400);
  await start(honest, mine);
  await finish(gatehouse, mine);
  expect([await usersAmong(emailsOf(planted)), await usersAmong(emailsOf(own))]).toEqual([0, 1]);
});

test("somebody who was not shown with a manager's role gets no account with it", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const known = await aUser(gatehouse);
  const [plain = ""] = emailsOf(newPeople(1));
  await upload(browser, `email,role\n${known.email},admin\n${plain},user`);
  const id = await openImportOf(gatehouse, user.id);
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(known.id).run();

  await start(browser, id);
  await finish(gatehouse, id);

  // Only who was shown as new is made.
  expect([await rowOf(known.email), await usersAmong([plain])]).toEqual([null, 1]);
  expect((await screenOf(browser)).text).toContain("Created 1 Existing users 1");
});

test("an hour takes so many lines, and a refused file leaves the lines before it", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const id = await sendLines(browser, newPeople(2));
  const setCount = (lines: number) =>
    gatehouse.d1
      .prepare("UPDATE user_import SET line_count = ? WHERE id = ?")
      .bind(lines, id)
      .run();
  const send = () => upload(browser, emailsOf(newPeople(2)).join("\n"));

  await setCount(19_999);
  expect(alertsOf(await (await send()).text())[0]).toContain("within an hour");
  expect(await openImportOf(gatehouse, user.id)).toBe(id);
  await setCount(19_998);
  expect(locationOf(await send())).toBe(IMPORT);
  expect(await openImportOf(gatehouse, user.id)).not.toBe(id);
});

test("the file of wrong lines has the reason and the file's own columns, guards formulas, and is understood again", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const good = newEmail();
  await upload(
    browser,
    `Nom,Adresse e-mail,Note\n=1+1,bad,"a, b"\nFine,${good},x\n-,also bad,=HYPERLINK(1)\n`,
  );

  const file = await (await browser.get(`${WRONG_LINES}?lng=fr`)).text();

  expect(file.split("\r\n")).toEqual([
    "Ligne,Motif,Nom,Adresse e-mail,Note",
    `2,L’adresse e-mail n’est pas valide,"'=1+1",bad,"a, b"`,
    `4,L’adresse e-mail n’est pas valide,"'-",also bad,"'=HYPERLINK(1)"`,
    "",
  ]);
  const mended = file.replace(",bad,", `,${newEmail()},`).replace("'=1+1", "Zoë");
  expect(locationOf(await upload(browser, mended))).toBe(IMPORT);
  const header = await gatehouse.d1
    .prepare("SELECT header FROM user_import WHERE user_id = ? AND state <> 'closed'")
    .bind(user.id)
    .first<{ header: string }>();
  expect(JSON.parse(header?.header ?? "")).toHaveLength(5);
  expect((await screenOf(browser)).text).toContain("Nouveaux utilisateurs 1");
});

test("without an import there is no file of wrong lines, and a file without a header gets one", async () => {
  const { browser } = await anAdmin(gatehouse);
  expect(locationOf(await browser.get(WRONG_LINES))).toBe(IMPORT);
  await upload(browser, "nothing\n");

  expect((await (await browser.get(WRONG_LINES)).text()).split("\r\n")).toEqual([
    "Line,Reason,Email,Name,Role,Language",
    "1,Email is invalid,nothing",
    "",
  ]);
});

test("ten thousand lines are taken at once, and no more", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const emails = emailsOf(newPeople(10_001));

  const refused = await upload(browser, emails.join("\n"));
  expect(alertsOf(await refused.text())[0]).toContain("more than 10000 lines");
  expect(await openImportOf(gatehouse, user.id)).toBe("");

  const sent = await upload(browser, ["email", ...emails.slice(1)].join("\n"));
  expect(locationOf(sent)).toBe(IMPORT);
  expect((await screenOf(browser)).text).toContain("New users 10,000");
});

test("long lines are kept, in as many values as they need", async () => {
  const { browser } = await anAdmin(gatehouse);
  const long = "\u0001".repeat(900);
  const lines = newPeople(40).map(([email = ""]) => [email, ...Array(48).fill(long)].join("\t"));
  const header = ["email", ...Array(48).fill("note")].join("\t");

  expect(locationOf(await upload(browser, [header, ...lines].join("\n")))).toBe(IMPORT);

  expect((await screenOf(browser)).text).toContain("New users 40");
});

test("files that cannot be read are refused with the reason, and pasted text stays in the form", async () => {
  const { browser } = await anAdmin(gatehouse);
  const said = async (response: Response) => alertsOf(await response.text())[0];
  const pasted = { intent: "upload", text: `a@x.yz,"open\nb@x.yz` };

  for (const file of ["", "\n\n", "email,name\n"]) {
    expect(await said(await upload(browser, file))).toContain("There are no lines");
  }
  expect(await said(await upload(browser, new Uint8Array([0xff, 0xfe, 0x61, 0])))).toContain(
    "not in UTF-8",
  );
  const large = await upload(browser, "x".repeat(2_100_000));
  expect([large.status, await said(large)]).toEqual([
    ...[413, expect.stringContaining("larger than 2 MB")],
  ]);
  const page = await (await browser.submit(IMPORT, pasted)).text();
  expect(alertsOf(page)[0]).toBe("Line 1 opens a quotation mark that is never closed.");
  expect(page).toContain("b@x.yz</textarea>");
});

test("garbage is refused without a server error", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const id = crypto.randomUUID();
  const bodies: Record<string, string>[] = [
    {},
    { intent: "x" },
    { intent: "upload" },
    { intent: "import" },
    { intent: "import", import: "nobody" },
    { intent: "import", import: id },
    { intent: "continue-import", import: id },
    { intent: "stop-import", import: "nobody" },
  ];
  for (const body of bodies) {
    expect((await browser.submit(IMPORT, body)).status).toBe(400);
  }
  expect(await openImportOf(gatehouse, user.id)).toBe("");
  const odd = ["\u0001", "\ud800", "'; DROP TABLE user; --", "\u202e@x.yz", "🙂".repeat(300)];
  const sent = await upload(browser, odd.map((cell) => Array(4).fill(cell).join("\t")).join("\n"));
  expect(locationOf(sent)).toBe(IMPORT);
  expect((await screenOf(browser)).text).toContain("Can't be imported 5");
});

test("an import is deleted a day after its last step, with its lines", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const id = await sendLines(browser, newPeople(3));

  await gatehouse.runHourly(new Date(Date.now() + DAY_MS - 60_000));
  expect(await openImportOf(gatehouse, user.id)).toBe(id);
  await gatehouse.runHourly(new Date(Date.now() + DAY_MS + 60_000));

  expect(await openImportOf(gatehouse, user.id)).toBe("");
  const { results } = await gatehouse.d1.prepare("SELECT import_id FROM user_import_line").all();
  expect(results).toEqual([]);
});

test(`${isFull ? "ten thousand" : "six hundred"} lines are imported`, {
  timeout: 600_000,
}, async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(isFull ? 10_000 : 600);

  const id = await sendLines(browser, people);
  await start(browser, id, true);
  await finish(gatehouse, id);

  expect(await usersAmong(emailsOf(people))).toBe(people.length);
  const end = (await importsOf(user.id)).at(-1);
  expect(end).toMatchObject({ created: people.length, known: 0, wrong: 0, left: 0 });
});
