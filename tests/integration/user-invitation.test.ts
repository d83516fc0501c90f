import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { choose, reportOn } from "../support/bulk.ts";
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
  expect(readText(page)).toContain(
    "This user has never signed in. No invitation has been sent. Send invitation",
  );

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
  expect((await listed("invited")).ids).toEqual([id]);
  for (const status of ["active", "added", "bounced"]) {
    expect([status, (await listed(status)).ids]).toEqual([status, []]);
  }

  await manager.submit(`/manager/users/${id}`, { intent: "ban", duration: "forever" });
  expect(await page()).toContain("User Banned");
  await manager.submit(`/manager/users/${id}`, { intent: "unban" });
  await signIn(gatehouse, newBrowser(gatehouse), email);
  expect(await page()).toContain("User Sign-up unfinished");
  expect((await listed("not-onboarded")).text).toContain("User Sign-up unfinished");
});

test("a status follows the invitation's mail: added without one, invited once it is queued, bounced when it comes back", async () => {
  const added = await aUser(gatehouse, { created_by: "a manager", onboarded_at: null });
  const shown = async (status: string) => {
    const page = readText(await (await manager.get(`/manager/users/${added.id}`)).text());
    const search = new URLSearchParams({ status, searchTerm: added.email });
    const list = await openList(manager, `/manager/users?${search}`);
    return { page, ids: list.ids, text: list.text };
  };
  const mailBecomes = (columns: string) =>
    gatehouse.d1
      .prepare(
        `UPDATE mail_outbox SET ${columns} WHERE id = (
          SELECT id FROM mail_outbox WHERE recipient = ? ORDER BY created_at DESC LIMIT 1
        )`,
      )
      .bind(added.email)
      .run();
  const invitation = ["No invitation has been sent. Send invitation", "Resend invitation"];

  const before = await shown("added");
  expect([before.ids, before.text.includes("User Added")]).toEqual([[added.id], true]);
  expect(invitation.map((text) => before.page.includes(text))).toEqual([true, false]);

  await invite(added.id);
  const queued = await shown("invited");
  expect([queued.ids, queued.text.includes("User Invited")]).toEqual([[added.id], true]);
  expect(invitation.map((text) => queued.page.includes(text))).toEqual([false, true]);

  await gatehouse.mailbox.mailFor(added.email);
  await mailBecomes("delivery = 'bounced'");
  const bounced = await shown("bounced");
  expect([bounced.ids, bounced.text.includes("Invitation bounced")]).toEqual([[added.id], true]);
  expect(bounced.page).toContain("The last invitation did not arrive. Resend invitation");

  // A mail that never left is not an invitation.
  await mailBecomes("delivery = NULL, state = 'expired'");
  expect((await shown("added")).ids).toEqual([added.id]);
  await mailBecomes("state = 'sent'");
  expect((await shown("invited")).ids).toEqual([added.id]);

  await gatehouse.d1
    .prepare("UPDATE user SET email = ? WHERE id = ?")
    .bind(newEmail("moved"), added.id)
    .run();
  expect((await shown("added")).page).toContain(invitation[0]);
});

test("the chosen users of the list are invited, with a reason for each who is not", async () => {
  const [first, second] = [await invitedAgo(HOUR_MS), await invitedAgo(HOUR_MS)];
  const seen = await aUser(gatehouse, { last_seen_at: Date.now() });
  const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });

  const ids = [first.id, second.id, seen.id];
  const answer = await choose(support, "/manager/users", ids, { intent: "invite" });

  const text = await reportOn(answer);
  expect(text).toContain("2 invitations sent:");
  expect(text).toContain("This user has already signed in");
  const sent = [first, second, seen].map(({ email }) => invitationsTo(email));
  expect(await Promise.all(sent)).toEqual([1, 1, 0]);
});

test("a user who was imported without a mail can be invited at once", async () => {
  const { id } = await aUser(gatehouse, { created_by: "a manager", onboarded_at: null });

  expect(await said(await invite(id))).toContain("Invitation sent.");
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
    `INSERT INTO mail_outbox (id, kind, recipient, language, state, next_try_at, expires_at, created_at)
     VALUES (?1, 'user-added', ?2, 'en', 'sent', ?3, ?3, ?3)`,
  );
  const sent = (to: string, hours: number[]) =>
    hours.map((ago) => insert.bind(crypto.randomUUID(), to, Date.now() - ago * HOUR_MS));
  await gatehouse.d1.batch([
    ...sent(email, [10, 4, 3, 2, 1]),
    ...sent(earlier.email, [30, 4, 3, 2, 1]),
  ]);

  expect(await said(await invite(id))).toContain("sent 5 invitations in 24 hours");
  expect(await said(await invite(earlier.id))).toContain("Invitation sent.");
  expect([await invitationsTo(email), await invitationsTo(earlier.email)]).toEqual([5, 6]);
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
