import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, signIn } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const NEW = "/manager/users/new";
const HOUR_MS = 3_600_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse, { name: "Mona Manager" });

async function create(email: string, browser: Browser = manager): Promise<string> {
  const response = await browser.submit(NEW, { name: "Fatima K", email, role: "user" });
  return locationOf(response)?.split("/").at(-1) ?? "";
}

function invite(id: string, browser: Browser = manager) {
  return browser.submit(`/manager/users/${id}`, { intent: "invite" });
}

async function said(response: Response, browser: Browser = manager): Promise<string> {
  return readText(await (await browser.follow(response)).text());
}

async function invitationsTo(email: string): Promise<number> {
  const row = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'user-added'")
    .bind(email)
    .first<{ n: number }>();
  return row?.n ?? -1;
}

/** Makes a user who was created and invited so long ago. */
async function invitedAgo(ms: number) {
  return aUser(gatehouse, { onboarded_at: null, created_at: Date.now() - ms });
}

test("creating a user sends an invitation with a link that fills in the e-mail", async () => {
  const email = newEmail("fatima+new");

  await create(email);

  const mail = await gatehouse.mailbox.mailFor(email);
  expect(mail.subject).toBe("You have been invited to Gatehouse");
  expect(mail.text.replace(/[\u2066-\u2069]/g, "")).toContain(
    "Mona Manager has created a Gatehouse account for you.",
  );
  expect(mail.link).toBe(`${gatehouse.origin}/login?email=${encodeURIComponent(email)}`);
  const browser = newBrowser(gatehouse);
  const mails = gatehouse.mailbox.mails.length;
  const page = await (await browser.get(mail.link.slice(gatehouse.origin.length))).text();
  expect(readPage(page).field("email")?.value).toBe(email);
  // Opening the link sends no code.
  expect(gatehouse.mailbox.mails).toHaveLength(mails);
});

test.each(["nobody", "<script>", "a@b.example\n", "x".repeat(300)])(
  "the login screen fills in only a valid e-mail, given %j",
  async (email) => {
    const response = await newBrowser(gatehouse).get(`/login?${new URLSearchParams({ email })}`);

    expect(response.status).toBe(200);
    const page = await response.text();
    expect(readPage(page).field("email")?.value ?? "").toBe(
      email.startsWith("a@b") ? "a@b.example" : "",
    );
  },
);

test("an invitation is in the manager's language until the user has one", async () => {
  const { browser: french } = await anAdmin(gatehouse, { language: "fr" });
  const email = newEmail("langue");
  await create(email, french);
  expect((await gatehouse.mailbox.mailFor(email)).subject).toBe("Invitation à rejoindre Gatehouse");
  const kept = await aUser(gatehouse, { language: "sw", created_at: Date.now() - HOUR_MS });

  await invite(kept.id, french);

  expect((await gatehouse.mailbox.mailFor(kept.email)).subject).toBe("Umealikwa kwenye Gatehouse");
});

test("a refused creation sends no invitation", async () => {
  const taken = await aUser(gatehouse);

  await create(taken.email);

  expect(await invitationsTo(taken.email)).toBe(0);
});

test("an invitation is sent again to a user who never signed in, at most once a minute", async () => {
  const { id, email } = await invitedAgo(61_000);
  const page = await (await manager.get(`/manager/users/${id}`)).text();
  expect(readText(page)).toContain("This user has never signed in. Resend invitation");

  expect(await said(await invite(id))).toContain("Invitation sent.");
  expect((await gatehouse.mailbox.mailFor(email)).subject).toBe(
    "You have been invited to Gatehouse",
  );
  expect(await said(await invite(id))).toContain("sent less than a minute ago");

  expect(await invitationsTo(email)).toBe(1);
  const events = await auditOf(gatehouse, id);
  expect(events.map(({ action }) => action)).toEqual(["user.created", "user.invited"]);
});

test("a user added by a manager is invited until the first sign-in, and each filter finds them as before", async () => {
  const email = newEmail("awaited");
  const id = await create(email);
  const page = async () => readText(await (await manager.get(`/manager/users/${id}`)).text());
  const listed = (status: string) =>
    openList(manager, `/manager/users?${new URLSearchParams({ status, searchTerm: email })}`);

  expect(await page()).toMatch(/User Invited .*Sign-up finished Not yet Last seen Never/);
  for (const status of ["not-onboarded", "never-signed-in"]) {
    const { ids, text } = await listed(status);
    expect([status, ids]).toEqual([status, [id]]);
    expect(text).toContain("User Invited");
  }
  expect((await listed("active")).ids).toEqual([]);

  await manager.submit(`/manager/users/${id}`, { intent: "ban", duration: "forever" });
  expect(await page()).toContain("User Banned");
  await manager.submit(`/manager/users/${id}`, { intent: "unban" });
  await signIn(gatehouse, newBrowser(gatehouse), email);
  expect(await page()).toContain("User Sign-up unfinished");
  expect((await listed("not-onboarded")).text).toContain("User Sign-up unfinished");
});

test("a new user is not invited again at once", async () => {
  const email = newEmail("now");
  const id = await create(email);

  expect(await said(await invite(id))).toContain("sent less than a minute ago");
  expect(await invitationsTo(email)).toBe(1);
});

test("a user gets at most five invitations in 24 hours, the first included", async () => {
  const { id, email } = await invitedAgo(10 * HOUR_MS);
  const earlier = await invitedAgo(30 * HOUR_MS);
  const insert = gatehouse.d1.prepare(
    "INSERT INTO audit_event (id, action, target_type, target_id, created_at) VALUES (?, 'user.invited', 'user', ?, ?)",
  );
  await gatehouse.d1.batch(
    [id, earlier.id].flatMap((userId) =>
      [1, 2, 3, 4].map((hours) =>
        insert.bind(crypto.randomUUID(), userId, Date.now() - hours * HOUR_MS),
      ),
    ),
  );

  expect(await said(await invite(id))).toContain("sent 5 invitations in 24 hours");
  expect(await said(await invite(earlier.id))).toContain("Invitation sent.");
  expect([await invitationsTo(email), await invitationsTo(earlier.email)]).toEqual([0, 1]);
});

test("20 requests at once send one invitation", async () => {
  const { id, email } = await invitedAgo(HOUR_MS);

  await Promise.all(Array.from({ length: 20 }, () => invite(id)));

  expect(await invitationsTo(email)).toBe(1);
});

test("a user who has signed in is not invited again", async () => {
  const email = newEmail("seen");
  const id = await create(email);
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, email);
  await browser.follow(browser.get("/app"));
  await expect.poll(async () => said(await invite(id))).toContain("has already signed in");

  const page = readText(await (await manager.get(`/manager/users/${id}`)).text());
  expect(page).not.toContain("never signed in");
});

test("only a manager invites, and an unknown user answers 404", async () => {
  const { id, email } = await invitedAgo(HOUR_MS);
  const { browser } = await aSignedInUser(gatehouse);

  expect((await invite(id, browser)).status).toBe(403);
  expect((await invite("nothing")).status).toBe(404);
  expect(await invitationsTo(email)).toBe(0);
});
