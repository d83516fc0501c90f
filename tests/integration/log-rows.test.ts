import { afterAll, expect, test } from "vitest";
import { newBrowser, readText } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, askForCode, aUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const AUDIT = "/manager/audit";
const MAIL = "/manager/mail";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

test("an event about its own actor names the actor once", async () => {
  const person = await aUser(gatehouse, { name: "Zawadi Njoroge" });

  const page = readPage(await (await manager.get(`${AUDIT}?actor=${person.id}`)).text());

  const shown = page.rows().map(([, event, actor, target]) => [event, actor, target]);
  expect(shown).toEqual([["User created", "Zawadi Njoroge", "–"]]);
});

test("an event names the people in its details, and no id of what is gone", async () => {
  const member = await aUser(gatehouse, { name: "Neema Otieno" });
  const { invitations, organization } = await anOrganization(
    gatehouse,
    {},
    { members: [member], invitations: [{ email: "invited@example.org" }] },
  );
  const events = [
    ["member.removed", { member: member.id }],
    ["invitation.sent", { invitation: invitations[0]?.id, role: "member" }],
    ["member.added", { member: crypto.randomUUID() }],
  ] as const;
  await gatehouse.d1.batch(
    events.map(([action, details], index) =>
      gatehouse.d1
        .prepare(
          "INSERT INTO audit_event (id, action, target_type, target_id, details, created_at) VALUES (?, ?, 'organization', ?, ?, ?)",
        )
        .bind(`named-${index}`, action, organization.id, JSON.stringify(details), Date.now()),
    ),
  );

  const page = readPage(await (await manager.get(`${AUDIT}?target=${organization.id}`)).text());
  const rows = page.rows().map((cells) => cells.join(" "));
  const shown = (event: string) => rows.find((row) => row.includes(event)) ?? "";
  expect(shown("Member removed")).toContain("Neema Otieno");
  expect(shown("Invitation sent")).toContain("invited@example.org");
  for (const row of rows) expect(row).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

test.each([AUDIT, MAIL])("%s says when the times of its rows are in UTC", async (path) => {
  await askForCode(newBrowser(gatehouse), newEmail());
  const headers = { "mf-cf-blob": JSON.stringify({ timezone: "Africa/Nairobi" }) };
  const readLog = async (...request: Parameters<typeof manager.get>) =>
    readText(await (await manager.get(...request)).text());

  const inUtc = await readLog(path);
  const local = await readLog(path, { headers });
  const empty = await readLog(`${path}?to=2001-01-01`);

  expect(inUtc).toContain("Times in UTC");
  expect(local).not.toContain("Times in UTC");
  expect(empty).not.toContain("Times in UTC");
});

test("a mail opens to its ID, its delivery and its exact time", async () => {
  const email = newEmail();
  await askForCode(newBrowser(gatehouse), email);
  const factsOf = async () => {
    const page = readPage(await (await manager.get(`${MAIL}?searchTerm=${email}`)).text());
    const terms = [...page.document.querySelectorAll(".list-details dt")];
    return Object.fromEntries(terms.map((term) => [textOf(term), textOf(term.nextElementSibling)]));
  };
  const update = (values: string) =>
    gatehouse.d1.exec(`UPDATE mail_outbox SET ${values} WHERE recipient = '${email}'`);

  await expect.poll(factsOf).toMatchObject({ Delivery: "Not reported yet" });
  const at = Date.UTC(2026, 0, 15, 9, 30, 5);
  await update(`delivery = 'delivered', delivery_at = ${at}, created_at = ${at}`);
  const row = await gatehouse.d1
    .prepare("SELECT id FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<{ id: string }>();
  expect(await factsOf()).toMatchObject({
    ID: expect.stringContaining(row?.id ?? "no mail"),
    Delivery: "Delivered 15 Jan 2026, 09:30:05 UTC",
    Time: "15 Jan 2026, 09:30:05 UTC",
  });
  // Of a mail that the provider refused, no delivery is awaited.
  await update("delivery = NULL, delivery_at = NULL, state = 'failed'");
  expect(await factsOf()).not.toHaveProperty("Delivery");
});
