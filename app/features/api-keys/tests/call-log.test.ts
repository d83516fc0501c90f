import { afterAll, expect, test } from "vitest";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { aProgram } from "../../../../tests/support/program.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { CALL_LOG_DAYS } from "../call-log.ts";
import { API_KEY_LIMITS } from "../limits.ts";
import { aCall, aKey, ORGANIZATION_SCOPES } from "./api-keys.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const say = translationsIn("en");

const OWN = "/app/account/keys";
const DAY = 86_400_000;
/** Rows that a key has for one day at most. */
const ROWS_OF_DAY = 50;

type Row = { slot: number; number: number; refused: number; status: number; path: string };

/** Returns the log of a key, in the order of its calls. */
async function logOf({ id }: { id: string }): Promise<Row[]> {
  const { results } = await gatehouse.d1
    .prepare(
      "SELECT slot, number, refused, status, method || ' ' || path AS path FROM api_call WHERE api_key_id = ? ORDER BY day, number",
    )
    .bind(id)
    .all<Row>();
  return results;
}

/** Waits until the log of a key has so many calls of today. A call is written after its answer. */
async function logWith(key: { id: string }, calls: number): Promise<Row[]> {
  await expect.poll(async () => (await logOf(key)).at(-1)?.number).toBe(calls);
  return logOf(key);
}

test("each call with a known key is written down once, with its method, path and status, and without its query", async () => {
  const { secret, row } = await aKey(gatehouse, await aUser(gatehouse));
  const program = aProgram(gatehouse, secret);

  await program("GET", "/repositories?searchTerm=secret-plan");
  await logWith(row, 1);
  await program("DELETE", "/repositories/nothing-has-this");
  await logWith(row, 2);
  await program("PUT", "/repositories");

  expect(await logWith(row, 3)).toEqual([
    { slot: 0, number: 1, refused: 0, status: 200, path: "GET /api/v1/repositories" },
    {
      slot: 1,
      number: 2,
      refused: 1,
      status: 403,
      path: "DELETE /api/v1/repositories/nothing-has-this",
    },
    { slot: 2, number: 3, refused: 2, status: 405, path: "PUT /api/v1/repositories" },
  ]);
});

test("the log of a day is bounded, and its last row tells how many calls there were, also of many at once", async () => {
  const { secret, row } = await aKey(gatehouse, await aUser(gatehouse));
  const program = aProgram(gatehouse, secret);
  const calls = ROWS_OF_DAY + 20;

  await Promise.all(Array.from({ length: calls }, () => program("GET", "/repositories")));

  const rows = await logWith(row, calls);
  expect(rows).toHaveLength(ROWS_OF_DAY);
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: ROWS_OF_DAY }, (_, index) => calls - ROWS_OF_DAY + 1 + index),
  );
});

test("calls beyond the limit, and calls with a key that has ended, are written once a minute", async () => {
  const limited = await aKey(gatehouse, await aUser(gatehouse));
  const ended = await aKey(gatehouse, await aUser(gatehouse), { expires_at: Date.now() - 1 });
  const program = aProgram(gatehouse, limited.secret);
  await program("GET", "/repositories");
  await logWith(limited.row, 1);
  await gatehouse.d1
    .prepare("UPDATE rate_limit SET count = ? WHERE key = ?")
    .bind(API_KEY_LIMITS.calls.max, `api-key|${limited.row.id}`)
    .run();

  for (const [key, status, number] of [
    [limited, 429, 2],
    [ended, 401, 1],
  ] as const) {
    const call = aProgram(gatehouse, key.secret);
    const refused = () => call("GET", "/repositories");
    expect((await refused()).status).toBe(status);
    await logWith(key.row, number);
    for (let index = 0; index < 5; index++) expect((await refused()).status).toBe(status);
    // A minute later one more is written, and it is the only one.
    await gatehouse.d1
      .prepare("UPDATE api_call SET at = at - 61000 WHERE api_key_id = ?")
      .bind(key.row.id)
      .run();
    await refused();
    const rows = await logWith(key.row, number + 1);
    expect(rows.at(-1)?.status).toBe(status);
  }
});

test("the log goes after seven days, also that of a revoked key", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { row } = await aKey(gatehouse, user);
  const now = Date.now();
  await aCall(gatehouse, row, { at: now });
  await aCall(gatehouse, row, { at: now - (CALL_LOG_DAYS - 1) * DAY });
  await aCall(gatehouse, row, { at: now - CALL_LOG_DAYS * DAY });

  await gatehouse.runHourly();
  expect(await logOf(row)).toHaveLength(2);

  await browser.submit(OWN, { intent: "revoke-key", key: row.id });
  expect(await logOf(row)).toHaveLength(2);
  const page = readPage(await (await browser.get(`${OWN}/${row.id}`)).text());
  expect(page.text()).toContain("GET /api/v1/repositories");

  await gatehouse.d1
    .prepare("UPDATE api_key SET revoked_at = ? WHERE id = ?")
    .bind(now - CALL_LOG_DAYS * DAY - 1, row.id)
    .run();
  await gatehouse.runHourly();
  expect(await logOf(row)).toEqual([]);
  expect((await browser.get(`${OWN}/${row.id}`)).status).toBe(404);
});

test("calls with a revoked key are refused, and its log tells of them", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { secret, row } = await aKey(gatehouse, user);
  await browser.submit(OWN, { intent: "revoke-key", key: row.id });

  expect((await aProgram(gatehouse, secret)("GET", "/repositories")).status).toBe(401);

  expect(await logWith(row, 1)).toMatchObject([{ status: 401, refused: 1 }]);
});

test("the screen of a key has its calls and how many there were each day", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { row } = await aKey(gatehouse, user, { name: "Deploy" });
  const path = `${OWN}/${row.id}`;
  const before = readPage(await (await browser.get(path)).text());
  expect(before.text()).toContain(say("api-keys:calls.none", { days: "7" }));

  await aCall(gatehouse, row, {
    number: 9,
    refused: 4,
    status: 403,
    request_id: "request-of-call",
  });
  await aCall(gatehouse, row, { at: Date.now() - DAY, number: 21, path: "/api/v1/events" });
  const list = readPage(await (await browser.get(OWN)).text());
  expect(list.linkTo("Deploy")).toBe(path);
  const page = readPage(await (await browser.get(path)).text());

  for (const text of [
    "GET /api/v1/repositories",
    "GET /api/v1/events",
    "request-of-call",
    // Of both days together.
    `${say("api-keys:calls.answered")}: 26`,
    `${say("api-keys:calls.refused")}: 4`,
  ]) {
    expect(page.text()).toContain(text);
  }
});

test("nobody reads the log of another's key: no manager, no member, no owner of another organization", async () => {
  const { user: owner, browser: ofOwner } = await aSignedInUser(gatehouse);
  const { user: admin, browser: ofAdmin } = await aSignedInUser(gatehouse);
  const { user: stranger, browser: ofStranger } = await aSignedInUser(gatehouse);
  const { browser: ofManager } = await anAdmin(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner, admins: [admin] });
  const { organization: other } = await anOrganization(gatehouse, {}, { owner: stranger });
  const own = await aKey(gatehouse, owner);
  const shared = await aKey(gatehouse, owner, {
    organization_id: organization.id,
    permissions: ORGANIZATION_SCOPES,
  });
  for (const { row } of [own, shared]) await aCall(gatehouse, row);
  const ofOrganization = (slug: string, id: string) => `/app/organizations/${slug}/keys/${id}`;

  expect((await ofOwner.get(`${OWN}/${own.row.id}`)).status).toBe(200);
  expect((await ofOwner.get(ofOrganization(organization.slug, shared.row.id))).status).toBe(200);
  for (const [browser, path, status] of [
    // Neither page shows the other's key.
    [ofOwner, `${OWN}/${shared.row.id}`, 404],
    [ofOwner, ofOrganization(organization.slug, own.row.id), 404],
    [ofAdmin, ofOrganization(organization.slug, shared.row.id), 403],
    [ofAdmin, `${OWN}/${own.row.id}`, 404],
    [ofStranger, `${OWN}/${own.row.id}`, 404],
    [ofStranger, ofOrganization(organization.slug, shared.row.id), 404],
    [ofStranger, ofOrganization(other.slug, shared.row.id), 404],
    [ofManager, `/manager/account/keys/${own.row.id}`, 404],
  ] as const) {
    for (const end of ["", ".data"]) {
      const answer = await browser.get(path + end);
      expect([path, answer.status]).toEqual([path, status]);
      expect(await answer.text()).not.toContain("/api/v1/repositories");
    }
  }
});

test("a database that fails to write the log leaves the answer as it is", async () => {
  const { secret } = await aKey(gatehouse, await aUser(gatehouse));
  const failing =
    "CREATE TRIGGER broken BEFORE INSERT ON api_call BEGIN SELECT RAISE(ABORT, 'broken'); END";
  await gatehouse.d1.prepare(failing).run();
  gatehouse.expectErrors("api.not_recorded");

  expect((await aProgram(gatehouse, secret)("GET", "/repositories")).status).toBe(200);
});
