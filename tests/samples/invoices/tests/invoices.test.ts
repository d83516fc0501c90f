import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { accessibleError, locationOf } from "../../../../tests/support/client.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { aProgram } from "../../../../tests/support/program.ts";
import { aProgramKey, programTest } from "../../../../tests/support/program-keys.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anInvoice, SENT, TYPED } from "./invoices.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");
const NEXT = { ...TYPED, number: "Another" };

const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
const stranger = await aSignedInUser(gatehouse, { name: "Sam Stranger" });
const { organization } = await anOrganization(
  gatehouse,
  {},
  { owner: owner.user, members: [member.user] },
);
const { organization: other } = await anOrganization(gatehouse, {}, { owner: stranger.user });
const LIST = `/app/organizations/${organization.slug}/invoices`;
const writer = member.browser;
const deleter = owner.browser;
const mine = { organization_id: organization.id };
const theirs = { organization_id: other.id };

async function textOf(browser: typeof writer, path: string): Promise<string> {
  return readPage(await (await browser.get(path)).text()).text();
}

async function countOf(id: string): Promise<number | null> {
  return gatehouse.d1
    .prepare("SELECT count(*) AS count FROM invoice WHERE id = ?")
    .bind(id)
    .first<number>("count");
}

test("an invoice is created, changed, deleted and restored, and each is recorded", async () => {
  const one = locationOf(await writer.submit(`${LIST}/new`, TYPED)) ?? "";
  expect(one).toMatch(new RegExp(`^${LIST}/[\\w-]{36}$`));
  const id = one.slice(LIST.length + 1);
  expect(await textOf(writer, one)).toContain(TYPED.number);
  expect(await textOf(writer, LIST)).toContain(TYPED.number);

  const changed = { ...TYPED, number: "Changed", version: "1" };
  expect(locationOf(await writer.submit(`${one}/update`, changed))).toBe(one);
  expect(await textOf(writer, one)).toContain("Changed");

  expect(locationOf(await deleter.submit(one, { intent: "delete" }))).toBe(LIST);
  expect((await writer.get(one)).status).toBe(404);
  expect(locationOf(await deleter.submit(one, { intent: "restore" }))).toBe(one);
  expect(await textOf(writer, one)).toContain("Changed");

  const events = await auditOf(gatehouse, id);
  expect(events.map(({ action }) => action)).toEqual([
    "invoice.created",
    "invoice.updated",
    "invoice.deleted",
    "invoice.restored",
  ]);
});

test("a bad value is told beside its field, and what was typed stays", async () => {
  const long = "x".repeat(201);
  const answer = await writer.submit(`${LIST}/new`, { ...TYPED, number: long });

  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(accessibleError(page, "number")).toBe(t("validation:tooLong", { maximum: "200" }));
  expect(readPage(page).field("number")?.value).toBe(long);
});

test("two at once with one value: one is created, the other is told so", async () => {
  const typed = { ...TYPED, number: "Taken" };
  const answers = await Promise.all([
    writer.submit(`${LIST}/new`, typed),
    writer.submit(`${LIST}/new`, { ...typed, number: "TAKEN" }),
  ]);

  expect(answers.map(({ status }) => status).sort()).toEqual([302, 400]);
  const refused = answers.find(({ status }) => status === 400);
  expect(accessibleError((await refused?.text()) ?? "", "number")).toBe(
    t("validation:record.taken"),
  );
});

test("two who change the same: the second sees both values and loses nothing", async () => {
  const { id } = await anInvoice(gatehouse, mine);
  const update = `${LIST}/${id}/update`;
  await writer.submit(update, { ...TYPED, number: "First", version: "1" });

  const answer = await writer.submit(update, { ...TYPED, number: "Second", version: "1" });
  expect(answer.status).toBe(409);
  const page = readPage(await answer.text());
  expect(page.text()).toContain("First");
  expect(page.field("number")?.value).toBe("Second");
  expect(page.field("version")?.value).toBe("2");
});

test("an owner has room for ten thousand, with what lies in the bin", async () => {
  const { organization: full } = await anOrganization(gatehouse, {}, { owner: owner.user });
  const list = `/app/organizations/${full.slug}/invoices`;
  const { id } = await anInvoice(gatehouse, { organization_id: full.id });
  const total = `invoice|${full.id}`;
  const { browser } = owner;
  const { d1 } = gatehouse;
  await d1.prepare("UPDATE counter SET value = 10000 WHERE name = ?").bind(total).run();

  // A deleted row can be brought back, so it gives no room.
  expect((await browser.submit(`${list}/${id}`, { intent: "delete" })).status).toBe(302);
  const refused = await browser.submit(`${list}/new`, NEXT);
  expect(refused.status).toBe(409);
  expect(readPage(await refused.text()).text()).toContain(t("codes:RECORD_LIMIT_REACHED"));
  expect((await browser.submit(`${list}/${id}`, { intent: "restore" })).status).toBe(302);
  await d1.prepare("DELETE FROM invoice WHERE id = ?").bind(id).run();
  expect((await browser.submit(`${list}/new`, NEXT)).status).toBe(302);
});

test("a list is searched, ordered and exported", async () => {
  const column = "number";
  await anInvoice(gatehouse, { ...mine, [column]: "Needle one" });
  await anInvoice(gatehouse, { ...mine, [column]: "Needle two" });

  const found = await textOf(writer, `${LIST}?searchTerm=needle&sort=number&direction=asc`);
  expect(found.indexOf("Needle one")).toBeGreaterThan(0);
  expect(found.indexOf("Needle two")).toBeGreaterThan(found.indexOf("Needle one"));
  expect(await textOf(writer, `${LIST}?searchTerm=nothing-has-this`)).not.toContain("Needle");
  const file = await (await writer.get(`${LIST}/export?searchTerm=needle`)).text();
  expect(file.trim().split("\r\n")).toHaveLength(3);
});

test("chosen rows are deleted, and Undo restores them", async () => {
  const rows = [await anInvoice(gatehouse, mine), await anInvoice(gatehouse, mine)];
  const chosen = rows.map(({ id }): [string, string] => ["id", id]);

  expect((await deleter.submit(LIST, [["intent", "delete"], ...chosen])).status).toBe(200);
  expect(await Promise.all(rows.map(({ id }) => countOf(id)))).toEqual([0, 0]);
  expect((await deleter.submit(LIST, [["intent", "restore"], ...chosen])).status).toBe(200);
  expect(await Promise.all(rows.map(({ id }) => countOf(id)))).toEqual([1, 1]);
});

test("a member may not delete, and is told so", async () => {
  const { id } = await anInvoice(gatehouse, mine);

  expect((await writer.submit(`${LIST}/${id}`, { intent: "delete" })).status).toBe(403);
  const many = await writer.submit(LIST, { intent: "delete", id });
  expect(many.status).toBe(403);
  expect(await countOf(id)).toBe(1);
});

test("another organization's rows are unknown here, to its own members too", async () => {
  const { id } = await anInvoice(gatehouse, { ...theirs, number: "Secret" });

  for (const browser of [owner.browser, member.browser]) {
    expect(await textOf(browser, LIST)).not.toContain("Secret");
    expect((await browser.get(`${LIST}/${id}`)).status).toBe(404);
    expect((await browser.get(`${LIST}/${id}/update`)).status).toBe(404);
    expect((await browser.submit(`${LIST}/${id}/update`, { ...NEXT, version: "1" })).status).toBe(
      404,
    );
  }
  expect((await owner.browser.submit(`${LIST}/${id}`, { intent: "delete" })).status).toBe(404);
  expect(await countOf(id)).toBe(1);
  const { browser } = stranger;
  for (const path of [LIST, `${LIST}/new`, `${LIST}/export`]) {
    expect((await browser.get(path)).status).toBe(404);
  }
  expect((await browser.submit(`${LIST}/new`, NEXT)).status).toBe(404);
});

test("a disabled organization shows its rows and changes none", async () => {
  const { organization: closed } = await anOrganization(
    gatehouse,
    { disabled_at: Date.now() },
    { owner: owner.user },
  );
  const { id } = await anInvoice(gatehouse, { organization_id: closed.id });
  const list = `/app/organizations/${closed.slug}/invoices`;

  expect((await owner.browser.get(`${list}/${id}`)).status).toBe(200);
  expect((await owner.browser.submit(`${list}/new`, NEXT)).status).toBe(409);
  expect((await owner.browser.submit(`${list}/${id}`, { intent: "delete" })).status).toBe(409);
  expect(await countOf(id)).toBe(1);
});

programTest("the key of an organization writes there and nowhere else", async () => {
  const key = await aProgramKey(gatehouse, owner.user, {
    organizationId: organization.id,
    permissions: { invoice: ["read", "create", "update", "delete"] },
  });
  const program = aProgram(gatehouse, key);
  const headers = { "idempotency-key": "invoice-1" };
  const body = { ...SENT, number: "By a program" };

  const created = await program("POST", "/invoices", { body, headers });
  expect(created.status).toBe(201);
  const again = await program("POST", "/invoices", { body, headers });
  expect(again.body.id).toBe(created.body.id);
  const path = `/invoices/${created.body.id}`;
  expect((await program("GET", path)).body).toMatchObject(body);
  const changed = { ...body, number: "Changed by a program" };
  expect((await program("PUT", path, { body: changed })).status).toBe(400);
  const match = { "if-match": '"1"' };
  expect((await program("PUT", path, { body: changed, headers: match })).status).toBe(200);
  expect((await program("PUT", path, { body: changed, headers: match })).status).toBe(412);
  expect((await program("DELETE", path)).status).toBe(428);
  expect((await program("DELETE", path, { headers: { "if-match": '"2"' } })).status).toBe(204);

  const { id } = await anInvoice(gatehouse, theirs);
  expect((await program("GET", `/invoices/${id}`)).status).toBe(404);
  expect((await program("DELETE", `/invoices/${id}`, { headers: match })).status).toBe(404);
  const page = await program("GET", "/invoices?size=10");
  expect(JSON.stringify(page.body)).not.toContain(id);
});

test("what its deleted maker wrote is restored without a maker", async () => {
  const maker = await aSignedInUser(gatehouse);
  const { id } = await anInvoice(gatehouse, { ...mine, created_by: maker.user.id });
  await deleter.submit(`${LIST}/${id}`, { intent: "delete" });
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(maker.user.id).run();

  expect((await deleter.submit(`${LIST}/${id}`, { intent: "restore" })).status).toBe(302);
  expect(await countOf(id)).toBe(1);
});
