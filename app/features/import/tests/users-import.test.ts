import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { alertsOf, locationOf, newBrowser } from "../../../../tests/support/client.ts";
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
  finish,
  IMPORT,
  next,
  openImportOf,
  screenOf,
  sendLines,
  sendPiece,
  start,
  upload,
} from "./imports-of-users.ts";

const LISTED = newEmail("listed");
const DAY_MS = 86_400_000;
const WRONG_LINES = `${IMPORT}/wrong-lines`;

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: LISTED } });
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
    ["8", "Role", "pilot", "Unknown role"],
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
    ...{ name: "Zuri Ōkami", email: made, role: "support" },
  });
  const id = await sendLines(browser, [[imported.toUpperCase(), " Zuri  Ōkami ", "Support"]]);

  await start(browser, id);

  const [one, other] = [await rowOf(made), await rowOf(imported)];
  const asMade = (row: Person | null) => ({
    ...row,
    ...{ id: "", email: "", search_key: row?.search_key.replace(row.email, ""), created_at: 0 },
    ...{ updated_at: 0, email_verified: 1 },
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

test("a piece that is sent again, and the same steps at once, make nothing twice", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { browser, user } = await anAdmin(gatehouse);
    const people = newPeople(25);
    const emails = emailsOf(people);
    const id = crypto.randomUUID();
    const lines = people.map((cells, index): [number, string[]] => [index + 1, cells]);
    const pieces = [lines.slice(0, 10), lines.slice(10, 20), lines.slice(20)];
    for (const [position, piece] of pieces.entries()) {
      const isLast = position === 2;
      const sent = { id, position, lines: piece, isLast };
      const answers = await Promise.all([1, 2].map(() => sendPiece(browser, sent)));
      answers.push(await sendPiece(browser, sent));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect((await screenOf(browser)).text).toContain("New users 25");

    await Promise.all([1, 2, 3].map(() => start(browser, id, true)));
    await Promise.all([1, 2, 3, 4].map(() => next(browser, id)));
    await finish(gatehouse, browser, id);
    await Promise.all([1, 2].map(() => next(browser, id)));

    expect(await usersAmong(emails)).toBe(25);
    expect([await createdEventsOf(emails), await mailsTo(emails)]).toEqual([25, 25]);
    expect((await importsOf(user.id)).map(({ action }) => action)).toEqual([
      ...["users.import_started", "users.imported"],
    ]);
    expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 25, known: 0, wrong: 0 });
  }
});

test("two managers who import the same file at once make each user once", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const [one, other] = [await anAdmin(gatehouse), await anAdmin(gatehouse)];
    const people = newPeople(30);
    const ids = await Promise.all(
      [one, other].map(({ browser }) => sendLines(browser, people, 10)),
    );

    await Promise.all(
      [one, other].map(async ({ browser }, index) => {
        await start(browser, ids[index] ?? "", true);
        await finish(gatehouse, browser, ids[index] ?? "");
      }),
    );

    const emails = emailsOf(people);
    expect(await usersAmong(emails)).toBe(30);
    expect([await createdEventsOf(emails), await mailsTo(emails)]).toEqual([30, 30]);
    const ends = [await importsOf(one.user.id), await importsOf(other.user.id)].map((all) =>
      all.at(-1),
    );
    const total = (field: string) => ends.reduce((sum, end) => sum + (end?.[field] ?? 0), 0);
    expect([total("created"), total("known"), total("wrong")]).toEqual([30, 30, 0]);
  }
});

test("an import that was stopped goes on where it was, also in another browser, and only for its manager", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const { browser: stranger } = await anAdmin(gatehouse);
  const people = newPeople(40);
  const id = await sendLines(browser, people, 10);
  await start(browser, id);
  await next(browser, id);

  const { text } = await screenOf(browser);
  expect(text).toContain("20 of 40 lines");
  expect(text).toContain("Created 20");
  expect((await next(stranger, id)).status).toBe(400);
  expect(await usersAmong(emailsOf(people))).toBe(20);

  // A second file is not begun while the first is running.
  const second = await sendPiece(browser, {
    ...{ id: crypto.randomUUID(), position: 0, isLast: true },
    lines: [[1, [newEmail()]]],
  });
  expect(alertsOf(await second.text())[0]).toContain("Another import of yours is not finished");
  expect(await finish(gatehouse, browser, id)).toBe(2);
  expect(await usersAmong(emailsOf(people))).toBe(40);
  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 40, left: 0 });
});

test("an import that is ended keeps what it has made, tells how many are left, and makes no more", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(30);
  const id = await sendLines(browser, people, 10);
  await start(browser, id);

  const ended = await browser.submit(IMPORT, { intent: "close-import", import: id });

  expect(locationOf(ended)).toBe(IMPORT);
  expect((await next(browser, id)).status).toBe(400);
  expect(await usersAmong(emailsOf(people))).toBe(10);
  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 10, left: 20 });
  const left = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM user_import_piece WHERE import_id = ?")
    .bind(id)
    .first();
  expect(left).toEqual({ n: 0 });
  expect((await screenOf(browser)).text).toContain("CSV file");
});

test("what has changed since the check counts: users, bans and rights", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(4);
  const [one = "", two = "", three = "", four = ""] = emailsOf(people);
  const id = await sendLines(browser, people);
  await aUser(gatehouse, { email: one });
  await aUser(gatehouse, { email: two, banned: 1 });
  await gatehouse.d1
    .prepare("INSERT INTO banned_mailbox VALUES (?, NULL)")
    .bind(await mailboxHash(three))
    .run();

  await start(browser, id);

  expect((await importsOf(user.id)).at(-1)).toMatchObject({ created: 1, known: 1, wrong: 2 });
  expect([await usersAmong([three]), await usersAmong([four])]).toEqual([0, 1]);
});

test("a manager whose right is taken or who is banned makes no further user", async () => {
  const lose = [
    ["UPDATE user SET role = 'support' WHERE id = ?", 403],
    ["UPDATE user SET banned = 1 WHERE id = ?", 302],
    ["DELETE FROM session WHERE user_id = ?", 302],
  ] as const;
  for (const [change, status] of lose) {
    const { browser, user } = await anAdmin(gatehouse);
    const people = newPeople(20);
    const id = await sendLines(browser, people, 10);
    await start(browser, id);

    await gatehouse.d1.prepare(change).bind(user.id).run();

    const response = await next(browser, id);
    expect(response.status).toBe(status);
    expect(locationOf(response) ?? "").not.toBe(IMPORT);
    const piece = { id, position: 5, lines: [[1, ["x@example.com"]] as [number, string[]]] };
    expect((await sendPiece(browser, piece)).status).toBe(status);
    expect(await usersAmong(emailsOf(people))).toBe(10);
  }
});

test("a start needs a fresh proof, and what follows does not", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const stale = () =>
    gatehouse.d1
      .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
      .bind(Date.now() - DAY_MS, user.id)
      .run();
  const people = newPeople(20);
  await stale();
  const id = await sendLines(browser, people, 10);

  const refused = await start(browser, id);

  expect(locationOf(refused)).toBe(`/manager/account/confirm?next=${encodeURIComponent(IMPORT)}`);
  expect(await usersAmong(emailsOf(people))).toBe(0);
  expect((await screenOf(browser)).text).toContain("First confirm it's you");
  await gatehouse.d1
    .prepare("UPDATE session SET authenticated_at = ? WHERE user_id = ?")
    .bind(Date.now(), user.id)
    .run();
  await start(browser, id);
  await stale();
  await finish(gatehouse, browser, id);
  expect(await usersAmong(emailsOf(people))).toBe(20);
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

test("lines with a manager's role need a fresh proof when they are read, and what was pasted stays", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  await makeStale(user.id);
  const [email = ""] = emailsOf(newPeople(1));
  const text = `email,role\n${email},support`;

  const refused = await browser.submit(IMPORT, { intent: "upload", text });

  const page = await refused.text();
  expect(refused.status).toBe(400);
  expect(alertsOf(page)[0]).toContain("Confirm it's you, then send this again");
  expect(page).toContain(`${email},support`);
  const piece = { id: crypto.randomUUID(), position: 0, isLast: true };
  const lines: [number, string[]][] = [[1, [email, "Eve", "admin"]]];
  expect((await sendPiece(browser, { ...piece, lines })).status).toBe(400);
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
  // Nor does another session add to them.
  const more = { id, position: 1, lines: [[3, ["more@example.com"]] as [number, string[]]] };
  expect((await sendPiece(honest, more)).status).toBe(400);

  await honest.submit(IMPORT, { intent: "close-import", import: id });
  const mine = await sendLines(honest, own);
  expect((await start(stale, mine)).status).toBe(400);
  await start(honest, mine);
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

  expect([await rowOf(known.email), await usersAmong([plain])]).toEqual([null, 1]);
  expect((await screenOf(browser)).text).toContain("This role was not shown before the start.");
});

test("an import and an hour take so many lines, and no more", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const id = await sendLines(browser, newPeople(2));
  const sent = async (position: number) => {
    const lines = newPeople(2).map((cells, index): [number, string[]] => [index + 1, cells]);
    const given = { id: crypto.randomUUID(), position, lines };
    return alertsOf(await (await sendPiece(browser, given)).text());
  };
  const setCount = (lines: number) =>
    gatehouse.d1
      .prepare("UPDATE user_import SET line_count = ? WHERE id = ?")
      .bind(lines, id)
      .run();

  await setCount(19_998);
  expect(await sent(0)).toEqual([]);
  await setCount(19_997);
  expect((await sent(0))[0]).toContain("within an hour");

  const { browser: other, user: otherUser } = await anAdmin(gatehouse);
  const big = crypto.randomUUID();
  const lines: [number, string[]][] = [[1, [newEmail()]]];
  await sendPiece(other, { id: big, position: 0, lines });
  await gatehouse.d1
    .prepare("UPDATE user_import_piece SET line_count = 10000 WHERE import_id = ?")
    .bind(big)
    .run();
  const over = await sendPiece(other, { id: big, position: 1, lines, isLast: true });
  expect(alertsOf(await over.text())[0]).toContain("more than 10,000 lines");
  expect(await openImportOf(gatehouse, otherUser.id)).toBe(big);
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
    .prepare("SELECT header FROM user_import WHERE user_id = ? AND closed_at IS NULL")
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

test("without JavaScript a thousand lines are read at once, and no more", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(1_001);
  const text = (count: number) =>
    people
      .slice(0, count)
      .map((row) => row.join(","))
      .join("\n");

  const refused = await upload(browser, text(1_001));
  expect(alertsOf(await refused.text())[0]).toContain("at most 1000 lines");
  expect(await openImportOf(gatehouse, user.id)).toBe("");

  expect(locationOf(await upload(browser, `email,name\n${text(1_000)}`))).toBe(IMPORT);
  const id = await openImportOf(gatehouse, user.id);
  expect((await screenOf(browser)).text).toContain("New users 1,000");
  await start(browser, id);
  expect(await finish(gatehouse, browser, id)).toBeLessThanOrEqual(10);
  expect(await usersAmong(emailsOf(people))).toBe(1_000);
});

test("files that cannot be read are refused with the reason, and pasted text stays in the form", async () => {
  const { browser } = await anAdmin(gatehouse);
  const said = async (response: Response) => alertsOf(await response.text())[0];
  const pasted = { intent: "upload", text: `a@x.yz,"open\nb@x.yz` };

  expect(await said(await upload(browser, ""))).toContain("There are no lines");
  expect(await said(await upload(browser, new Uint8Array([0xff, 0xfe, 0x61, 0])))).toContain(
    "not in UTF-8",
  );
  const large = await upload(browser, "x".repeat(300_000));
  expect([large.status, await said(large)]).toEqual([
    ...[413, expect.stringContaining("too large")],
  ]);
  const page = await (await browser.submit(IMPORT, pasted)).text();
  expect(alertsOf(page)[0]).toBe("Line 1 opens a quotation mark that is never closed.");
  expect(page).toContain("b@x.yz</textarea>");
});

test("garbage is refused without a server error", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const id = crypto.randomUUID();
  const piece = { intent: "read-lines", import: id, position: "0" };
  const nested = JSON.stringify([[1, [["deep"]]]]);
  const bodies: Record<string, string>[] = [
    {},
    { intent: "x" },
    { intent: "upload" },
    { intent: "read-lines" },
    { intent: "import", import: "nobody" },
    { intent: "import", import: id },
    { intent: "import-next", import: id },
    { ...piece, lines: "{" },
    { ...piece, lines: "null" },
    { ...piece, lines: nested },
    { ...piece, lines: JSON.stringify([[0, ["a"]]]) },
    { ...piece, lines: JSON.stringify([[1, ["x".repeat(1_001)]]]) },
    { ...piece, lines: JSON.stringify(Array(101).fill([1, ["a"]])) },
    { ...piece, position: "-1", lines: "[]" },
    { ...piece, position: "1", lines: "[]" },
  ];
  for (const body of bodies) {
    expect((await browser.submit(IMPORT, body)).status).toBe(400);
  }
  expect(await openImportOf(gatehouse, user.id)).toBe("");
  const odd = ["\u0000", "\ud800", "'; DROP TABLE user; --", "\u202e@x.yz", "🙂".repeat(300)];
  const lines = odd.map((cell, index): [number, string[]] => [index + 1, [cell, cell, cell, cell]]);
  expect((await sendPiece(browser, { id, position: 0, lines, isLast: true })).status).toBe(200);
  expect((await screenOf(browser)).text).toContain("Can't be imported 5");
});

test("an import is deleted a day after its last step, with its lines", async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const id = await sendLines(browser, newPeople(3));

  await gatehouse.runHourly(new Date(Date.now() + DAY_MS - 60_000));
  expect(await openImportOf(gatehouse, user.id)).toBe(id);
  await gatehouse.runHourly(new Date(Date.now() + DAY_MS + 60_000));

  expect(await openImportOf(gatehouse, user.id)).toBe("");
  const { results } = await gatehouse.d1.prepare("SELECT import_id FROM user_import_piece").all();
  expect(results).toEqual([]);
});

test(`${isFull ? "ten thousand" : "six hundred"} lines are imported within the statements of the free plan`, {
  timeout: 600_000,
}, async () => {
  const { browser, user } = await anAdmin(gatehouse);
  const people = newPeople(isFull ? 10_000 : 600);

  const id = await sendLines(browser, people);
  await start(browser, id);
  await finish(gatehouse, browser, id);

  expect(await usersAmong(emailsOf(people))).toBe(people.length);
  const end = (await importsOf(user.id)).at(-1);
  expect(end).toMatchObject({ created: people.length, known: 0, wrong: 0, left: 0 });
});
