import { afterAll, expect, test } from "vitest";
import { loadMailLog } from "../../app/features/mail/mail-log.server.ts";
import { auditOf } from "../support/audit.ts";
import { locationOf, newBrowser, readText, setCookieOf } from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, enterCode, newEmail } from "../support/people.ts";
import { plansOf, wholeTableReads } from "../support/plans.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const MAIL = "/manager/mail";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REFUSED = {
  status: 422,
  body: { statusCode: 422, name: "validation_error", message: "Not now" },
};

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
gatehouse.expectErrors("mail.failed");
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);

type Row = {
  id: string;
  state: string;
  payload: string | null;
  tries: number;
};

async function rowOf(email: string): Promise<Row> {
  const row = await gatehouse.d1
    .prepare("SELECT * FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<Row>();
  if (!row) throw new Error(`There is no mail to ${email}`);
  return row;
}

/** Makes a mail that the provider refused: for good, or until the next try. */
async function aMail(state: "failed" | "waiting"): Promise<{ email: string; row: Row }> {
  const email = newEmail();
  gatehouse.mailbox.answerNext(state === "failed" ? REFUSED : { status: 503 });
  await askForCode(newBrowser(gatehouse), email);
  // It waits before its first try too.
  await expect.poll(() => rowOf(email)).toMatchObject({ state, tries: 1 });
  return { email, row: await rowOf(email) };
}

function attemptsFor(id: string): number {
  return gatehouse.mailbox.attempts.filter(({ idempotencyKey }) => idempotencyKey === id).length;
}

/** Returns the mail log's row of one recipient's mail as text. */
async function shownOf(email: string, browser = manager): Promise<string> {
  const page = await (await browser.get(`${MAIL}?searchTerm=${email}`)).text();
  return textOf(readPage(page).document.querySelector("tbody"));
}

async function toastOf(response: Response): Promise<string> {
  const page = await (await manager.follow(response)).text();
  return textOf(readPage(page).noscript());
}

function kindOf(response: Response): unknown {
  const cookie = setCookieOf(response, "gatehouse.toast") ?? "";
  return JSON.parse(decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1, cookie.indexOf(";"))))
    .kind;
}

test.each([
  ["failed", "Send again"],
  ["waiting", "Send now"],
] as const)(
  "a mail that is %s is sent again with its own idempotency key, and recorded once",
  async (state, button) => {
    const { email, row } = await aMail(state);
    expect(await shownOf(email)).toContain(button);

    const response = await manager.submit(`${MAIL}?state=${state}`, { mail: row.id });

    expect(locationOf(response)).toBe(`${MAIL}?state=${state}`);
    expect(kindOf(response)).toBe("loading");
    expect(await toastOf(response)).toBe("The email is being sent.");
    const mail = await gatehouse.mailbox.mailFor(email);
    expect(mail.idempotencyKey).toBe(row.id);
    await expect.poll(() => rowOf(email)).toMatchObject({ state: "sent", tries: 2, payload: null });
    expect(await auditOf(gatehouse, row.id)).toEqual([
      { action: "mail.retried", actorId: admin.id, details: null },
    ]);
    expect(locationOf(await enterCode(newBrowser(gatehouse), email, mail.code))).toBe(
      "/onboarding",
    );
    expect(await shownOf(email)).not.toMatch(/Send (again|now)/);
  },
);

test("pressing at once, two managers send one mail and make one record", async () => {
  for (const state of ["failed", "waiting", "failed", "waiting"] as const) {
    const { email, row } = await aMail(state);
    const before = attemptsFor(row.id);

    const responses = await Promise.all(
      [manager, otherManager, manager, otherManager].map((browser) =>
        browser.submit(MAIL, { mail: row.id }),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
    await expect.poll(() => rowOf(email)).toMatchObject({ state: "sent", tries: 2 });
    expect(attemptsFor(row.id)).toBe(before + 1);
    expect(await auditOf(gatehouse, row.id)).toHaveLength(1);
  }
});

test("a mail that is refused again can be tried again", async () => {
  const { email, row } = await aMail("failed");
  gatehouse.mailbox.answerNext(REFUSED);

  await manager.submit(MAIL, { mail: row.id });

  await expect.poll(() => rowOf(email)).toMatchObject({ state: "failed", tries: 2 });
  expect(await shownOf(email)).toContain("Send again");
  expect(await auditOf(gatehouse, row.id)).toHaveLength(1);
});

test("a mail that is sent, expired, erased, being sent or missing is not sent again, and nothing is recorded", async () => {
  const sent = newEmail();
  await askForCode(newBrowser(gatehouse), sent);
  await expect.poll(() => rowOf(sent)).toMatchObject({ state: "sent" });
  const changes = [
    "expires_at = 1",
    "payload = NULL",
    // It leaves as soon as the provider takes it.
    "state = 'waiting', next_try_at = 1",
    "state = 'expired'",
  ];
  const emails = [sent];
  for (const change of changes) {
    const { email, row } = await aMail("failed");
    await gatehouse.d1.prepare(`UPDATE mail_outbox SET ${change} WHERE id = ?`).bind(row.id).run();
    emails.push(email);
  }
  const attempts = gatehouse.mailbox.attempts.length;

  for (const email of emails) {
    const { id } = await rowOf(email);
    expect(await shownOf(email)).not.toMatch(/Send (again|now)/);
    expect(await toastOf(await manager.submit(MAIL, { mail: id }))).toBe(
      "This email was not sent again: it no longer exists, has expired or is already being sent",
    );
    expect(await auditOf(gatehouse, id)).toEqual([]);
  }
  expect(locationOf(await manager.submit(MAIL, { mail: "nothing" }))).toBe(MAIL);
  expect((await manager.submit(MAIL, {})).status).toBe(404);
  expect(gatehouse.mailbox.attempts).toHaveLength(attempts);
  await gatehouse.d1.exec("DELETE FROM mail_outbox");
});

test("the log says of a waiting mail that only a newer release can write it", async () => {
  const { email } = await aMail("waiting");
  await gatehouse.d1
    .prepare(
      "UPDATE mail_outbox SET kind = 'parcel-arrived', last_error = NULL, next_try_at = 0 WHERE recipient = ?",
    )
    .bind(email)
    .run();

  const shown = await shownOf(email);

  expect(shown).toContain("parcel-arrived");
  expect(shown).toContain("Written by a newer version of the product");
});

test("a failed mail is erased after its expiry", async () => {
  const { email, row } = await aMail("failed");
  expect(row.payload).not.toBeNull();

  await gatehouse.runHourly(new Date(Date.now() + HOUR_MS));

  await expect.poll(() => rowOf(email)).toMatchObject({ state: "failed", payload: null });
  expect(await shownOf(email)).not.toContain("Send again");
});

test("a user cannot send a mail again", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { email, row } = await aMail("failed");

  expect((await browser.submit(MAIL, { mail: row.id })).status).toBe(403);

  expect(await rowOf(email)).toMatchObject({ state: "failed", tries: 1 });
  expect(await auditOf(gatehouse, row.id)).toEqual([]);
});

test("the log never shows a code or a link", async () => {
  const { email, row } = await aMail("failed");
  await manager.submit(MAIL, { mail: row.id });
  const { code, link } = await gatehouse.mailbox.mailFor(email);

  for (const path of [MAIL, `${MAIL}.data`, `/manager/audit?target=${row.id}`]) {
    const page = await (await manager.get(path)).text();
    expect(page).toContain(email);
    expect(page).not.toContain(code);
    expect(page).not.toContain(new URL(link).hash || link);
  }
});

test("the audit log names a mail that was sent again by its recipient", async () => {
  const { email, row } = await aMail("failed");
  const { row: other } = await aMail("failed");
  await otherManager.submit(MAIL, { mail: other.id });
  await manager.submit(MAIL, { mail: row.id });

  const page = await (await manager.get("/manager/audit?action=mail.retried")).text();

  // The other manager of this name has events too, so the e-mail tells them apart.
  expect(readText(page)).toContain(`Email resent Mona Manager ${admin.email} ${email}`);
  expect(page).toContain(`href="${MAIL}?searchTerm=${encodeURIComponent(email)}"`);
});

async function sendOldMails({ d1 }: Pick<Gatehouse, "d1">) {
  const insert = d1.prepare(
    "INSERT INTO mail_outbox (id, kind, recipient, language, state, next_try_at, expires_at, created_at) VALUES (?, ?, ?, 'en', ?, 1, 1, ?)",
  );
  const day = Date.UTC(2026, 0, 15);
  await d1.batch([
    insert.bind("old-1", "login-code", "old@example.com", "expired", day - 1),
    insert.bind("old-2", "login-code", "old@example.com", "sent", day),
    insert.bind("old-3", "from-another-release", "old@example.com", "sent", day + 1),
  ]);
}

test("mails are filtered by recipient, kind, state and day", async () => {
  await sendOldMails(gatehouse);
  const totalOf = async (search: string) => {
    const { text } = await openList(manager, `${MAIL}?${search}`);
    return Number(
      /(?:Showing \d+ of (\d+)|(\d+) results?)/.exec(text)?.slice(1).find(Boolean) ?? 0,
    );
  };

  expect(await totalOf("searchTerm=Old@Example.com")).toBe(3);
  expect(await totalOf("searchTerm=old@example.com&kind=login-code")).toBe(2);
  expect(await totalOf("state=expired&to=2026-01-14")).toBe(1);
  expect(await totalOf("kind=login-code&state=sent&from=2026-01-15&to=2026-01-15")).toBe(1);
  expect(await totalOf("to=2026-01-15")).toBe(3);
  expect(await totalOf("searchTerm=example.com")).toBe(0);
  expect(await totalOf("searchTerm=old-2")).toBe(1);
  expect(await shownOf("old@example.com")).toContain("from-another-release");
});

test("mails are found by the ID of their recipient, and link to the recipient", async () => {
  const { user } = await aSignedInUser(gatehouse, { name: "Zola Were" });
  await askForCode(newBrowser(gatehouse), user.email);

  const page = readPage(await (await manager.get(`${MAIL}?searchTerm=${user.id}`)).text());

  expect(page.rows().length).toBeGreaterThan(0);
  expect(page.rows().every((cells) => cells.join(" ").includes(user.email))).toBe(true);
  expect(page.linkTo("Open Zola Were")).toBe(`/manager/users/${user.id}`);
  const { text } = await openList(manager, `${MAIL}?searchTerm=zola`);
  expect(text).toContain("Type a full email address or an ID.");
});

test.each(["kind=nothing", "state=lost", "kind=__proto__&state="])(
  "%s is ignored with a notice",
  async (search) => {
    const { status, text } = await openList(manager, `${MAIL}?${search}`);

    expect(status).toBe(200);
    expect(text).toContain("One of the filters is not valid, so it was ignored.");
    expect(text).toMatch(/Showing \d+ of/);
  },
);

test("every filter is answered from an index and sorted by it", async () => {
  for (const search of [
    "",
    "?searchTerm=a@b.example",
    "?searchTerm=a@b.example&kind=login-code&state=failed&from=2026-01-01",
    "?kind=login-code",
    "?kind=user-added",
    "?state=sent",
    "?state=failed",
    "?kind=login-code&state=failed",
    "?delivery=bounced",
    "?delivery=delivered",
    "?searchTerm=a@b.example&delivery=bounced",
    "?kind=login-code&state=sent&from=2026-01-01&to=2026-02-01",
  ]) {
    const url = new URL(`http://list${search}`);
    const plans = await plansOf(gatehouse, (db) => loadMailLog(db, url, { now: new Date() }));
    // Almost every mail is a sent code: reading stops after a page, and after 1,001 rows for the total.
    const isCommon = ["", "?kind=login-code", "?state=sent", "?delivery=delivered"].includes(
      search,
    );
    const reads = wholeTableReads(plans).filter(
      (line) => !isCommon || !/^SCAN mail_outbox\b/.test(line),
    );
    expect([search, reads]).toEqual([search, []]);
    // The rows of one page are sorted once more when they are fetched.
    const sorts = plans.filter((line) => line === "USE TEMP B-TREE FOR ORDER BY");
    expect([search, sorts.length <= 1]).toEqual([search, true]);
  }
  // The mails with an id are few, so they may be sorted.
  const url = new URL("http://list?searchTerm=some-id");
  const plans = await plansOf(gatehouse, (db) => loadMailLog(db, url, { now: new Date() }));
  expect(wholeTableReads(plans)).toEqual([]);
});
