import { afterAll, expect } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { type Answered, aProgram } from "../../../../tests/support/program.ts";
import {
  aProgramKey,
  COMMON_ERRORS,
  programTest as test,
} from "../../../../tests/support/program-keys.ts";
import { listUrls } from "../../../../tests/support/routes.ts";
import { isFull } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import type { ApiEndpoint } from "../../access/api-endpoint.ts";
import { REPOSITORY_API, RepositoryProblem } from "../api.ts";
import { aRepository, findRepositoryRow, newName } from "./repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const admin = await aUser(gatehouse, { role: "admin" });
const manager = await programOf(admin);
const person = await aUser(gatehouse);
const user = await programOf(person);
const owner = await aUser(gatehouse);
const { organization } = await anOrganization(gatehouse, {}, { owner });
const member = aProgram(
  gatehouse,
  await aProgramKey(gatehouse, owner, {
    organizationId: organization.id,
    permissions: { repository: ["read", "create", "delete"] },
  }),
);

/** Returns a program with a new key of a user, which may do all that the user may. */
async function programOf({ id }: { id: string }) {
  const permissions = {
    repository: ["read", "create", "update", "delete"],
    organization: ["update"],
  };
  return aProgram(gatehouse, await aProgramKey(gatehouse, { id }, { permissions }));
}

/** Calls that are under way at once. */
const AT_ONCE = 20;

const LINK = "https://git.example/acme/gate";

function input(name = newName()) {
  return { name, link: LINK };
}

/** The calls whose paths are below the repositories. */
const CALLS = Object.values(SERVER_FEATURES.api).filter(({ path }) =>
  path.startsWith("/api/v1/repositories"),
);

function codeOf({ status, body }: Answered): string {
  return `${status} ${body.code ?? ""}`.trim();
}

test("a repository is created, read, changed and deleted, with the audit rows of the screens", async () => {
  const name = newName();
  const created = await manager("POST", "/repositories", {
    body: { name: ` ${name} `, link: "git.example/acme", description: "Text" },
  });
  expect(created.status).toBe(201);
  const { id } = created.body;
  expect(created.body).toMatchObject({
    name,
    link: "https://git.example/acme",
    description: "Text",
    version: 1,
  });
  expect(created.headers.get("location")).toBe(`/api/v1/repositories/${id}`);
  expect(created.headers.get("etag")).toBe('"1"');
  expect(created.headers.get("set-cookie")).toBeNull();
  expect(created.headers.get("cache-control")).toBe("no-store, no-transform");
  expect(REPOSITORY_API.createRepository.answer.body.parse(created.body)).toEqual(created.body);

  const read = await user("GET", `/repositories/${id}`);
  expect([read.status, read.body]).toEqual([200, created.body]);

  const changed = await manager("PUT", `/repositories/${id}`, {
    body: { ...read.body, description: null },
  });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ id, name, description: null, version: 2 });
  expect(changed.headers.get("etag")).toBe('"2"');

  const known = { headers: { "if-match": '"2"' } };
  const deleted = await manager("DELETE", `/repositories/${id}`, known);
  expect([deleted.status, deleted.body]).toEqual([204, ""]);
  expect(codeOf(await manager("GET", `/repositories/${id}`))).toBe("404 REPOSITORY_NOT_FOUND");
  expect(codeOf(await manager("DELETE", `/repositories/${id}`))).toBe("404 REPOSITORY_NOT_FOUND");

  const events = await auditOf(gatehouse, id);
  expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["repository.created", admin.id],
    ["repository.updated", admin.id],
    ["repository.deleted", admin.id],
  ]);
});

test("a list is searched, sorted and read page by page", async () => {
  const word = `paged${Date.now()}`;
  const names = Array.from(
    { length: 45 },
    (_, index) => `${word} ${String(index).padStart(2, "0")}`,
  );
  for (const name of names) await aRepository(gatehouse, { name });
  const search = new URLSearchParams({ searchTerm: word, sort: "name", direction: "asc" });

  const found: string[] = [];
  for (let after: string | null = null, page = 0; page < 4; page++) {
    if (after) search.set("after", after);
    const { status, body } = await user("GET", `/repositories?${search}`);
    expect(status).toBe(200);
    expect(body.total).toEqual({ count: 45, isCapped: false });
    found.push(...body.repositories.map(({ name }: { name: string }) => name));
    after = body.next;
    if (after === null) break;
  }

  expect(found).toEqual(names);
});

test("a stale version is a conflict with what both wrote, by the body or by If-Match", async () => {
  const { id, name } = await aRepository(gatehouse);
  const theirs = { name, link: LINK, description: "Theirs" };
  expect(
    (await manager("PUT", `/repositories/${id}`, { body: { ...theirs, version: 1 } })).status,
  ).toBe(200);
  const yours = { name, link: LINK, description: "Yours" };

  const byBody = await manager("PUT", `/repositories/${id}`, { body: { ...yours, version: 1 } });
  expect(codeOf(byBody)).toBe("409 CONFLICT");
  expect(byBody.body).toMatchObject({ yours, theirs: { ...theirs, id, version: 2 } });
  expect(RepositoryProblem.parse(byBody.body)).toMatchObject({ title: "Changed by someone else" });

  const byHeader = await manager("PUT", `/repositories/${id}`, {
    body: yours,
    headers: { "if-match": '"1"' },
  });
  expect(codeOf(byHeader)).toBe("412 PRECONDITION_FAILED");
  expect(byHeader.body).toMatchObject({ yours, theirs });
  const stale = { headers: { "if-match": '"1"' } };
  expect(codeOf(await manager("DELETE", `/repositories/${id}`, stale))).toBe(
    "412 PRECONDITION_FAILED",
  );
  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ description: "Theirs" });

  const several = { headers: { "if-match": '"9", "2"' } };
  const saved = await manager("PUT", `/repositories/${id}`, { body: yours, ...several });
  expect(saved.body).toMatchObject({ description: "Yours", version: 3 });
  const fresh = { headers: { "if-match": '"3"' } };
  expect((await manager("DELETE", `/repositories/${id}`, fresh)).status).toBe(204);
});

test("a deletion says which version it means, and a weak tag means none", async () => {
  const { id } = await aRepository(gatehouse);
  const path = `/repositories/${id}`;

  const without = await manager("DELETE", path);
  const weak = await manager("DELETE", path, { headers: { "if-match": 'W/"1"' } });
  const weakChange = await manager("PUT", path, {
    body: input(),
    headers: { "if-match": 'W/"1"' },
  });

  expect(codeOf(without)).toBe("428 PRECONDITION_REQUIRED");
  expect(codeOf(weak)).toBe("412 PRECONDITION_FAILED");
  expect(codeOf(weakChange)).toBe("412 PRECONDITION_FAILED");
  expect(await findRepositoryRow(gatehouse, id)).toMatchObject({ version: 1 });
  const any = await manager("DELETE", path, { headers: { "if-match": "*" } });
  expect(any.status).toBe(204);
});

test("a cursor belongs to its sort and direction", async () => {
  for (let made = 0; made < 21; made++) await aRepository(gatehouse);
  const first = await user("GET", "/repositories?sort=name&direction=asc");
  const after = encodeURIComponent(first.body.next ?? "");

  for (const search of ["sort=created&direction=asc", "sort=name&direction=desc", "sort=created"]) {
    const { status, body } = await user("GET", `/repositories?${search}&after=${after}`);
    expect([status, body.code, body.errors]).toMatchObject([
      400,
      "INVALID_PAYLOAD",
      [{ field: "after", code: "cursor.otherOrder" }],
    ]);
  }
  const next = await user("GET", `/repositories?sort=name&direction=asc&after=${after}`);
  expect(next.status).toBe(200);
  const [lowest, highest] = [first.body.repositories.at(-1), next.body.repositories[0]];
  expect(String(highest?.name) > String(lowest?.name)).toBe(true);
});

test("bad input names the field and the code, in the reader's language", async () => {
  const { name: taken } = await aRepository(gatehouse);
  const refused = await manager("POST", "/repositories", {
    body: { name: "", link: "a.b" },
    headers: { "accept-language": "fr" },
  });

  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(codeOf(refused)).toBe("400 INVALID_PAYLOAD");
  expect(refused.body).toMatchObject({
    title: "Les données envoyées ne sont pas valides",
    errors: [
      { field: "name", code: "name.required", message: "Le nom est obligatoire" },
      { field: "link", code: "link.short" },
    ],
  });
  for (const [sent, field, code] of [
    [{ name: taken.toUpperCase(), link: LINK }, "name", "name.taken"],
    [{ name: 7, link: LINK }, "name", "name.required"],
    [{ ...input(), description: ["a"] }, "description", "generic.invalidType"],
    ["[]", "", "generic.invalidType"],
  ] as const) {
    const { status, body } = await manager("POST", "/repositories", { body: sent });
    expect([status, body.errors?.[0]?.field, body.errors?.[0]?.code]).toEqual([400, field, code]);
  }
  for (const [search, field] of [
    ["sort=size", "sort"],
    ["direction=up", "direction"],
    ["size=7", "size"],
    ["after=nonsense", "after"],
    [`searchTerm=${"x".repeat(201)}`, "searchTerm"],
  ]) {
    const { status, body } = await user("GET", `/repositories?${search}`);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  }
  const { id } = await aRepository(gatehouse);
  const without = await manager("PUT", `/repositories/${id}`, { body: input() });
  expect(without.body.errors).toEqual([
    { field: "version", code: "generic.required", message: "Required" },
  ]);
  expect(codeOf(await manager("POST", "/repositories", { body: "{" }))).toBe("400 INVALID_PAYLOAD");
  const form = { body: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } };
  expect(codeOf(await manager("POST", "/repositories", form))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  const large = { body: { ...input(), description: "x".repeat(20_000) } };
  expect(codeOf(await manager("POST", "/repositories", large))).toBe("413 PAYLOAD_TOO_LARGE");
});

test("an idempotency key makes one repository, however often it is sent", async () => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const body = input();

  const first = await manager("POST", "/repositories", { body, headers });
  const again = await manager("POST", "/repositories", { body, headers });
  expect(first.status).toBe(201);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get("location")).toBe(first.headers.get("location"));

  const other = await manager("POST", "/repositories", { body: input(), headers });
  expect(codeOf(other)).toBe("422 IDEMPOTENCY_KEY_REUSED");
  // Another key is another space of names.
  const another = await programOf(admin);
  const elsewhere = await another("POST", "/repositories", { body: input(), headers });
  expect(elsewhere.status).toBe(201);

  const day = 86_400_000;
  const age = (ms: number) =>
    gatehouse.d1
      .prepare("UPDATE idempotent_answer SET created_at = ?")
      .bind(Date.now() - ms)
      .run();
  await age(day + 1);
  expect((await manager("POST", "/repositories", { body: input(), headers })).status).toBe(201);
  await age(day + 1);
  await gatehouse.runHourly(new Date());
  expect(await gatehouse.d1.prepare("SELECT count(*) AS n FROM idempotent_answer").first("n")).toBe(
    0,
  );
});

test("a request whose idempotency key is being answered is refused, and a refused one can be sent again", async () => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const { name: taken } = await aRepository(gatehouse);
  const refused = await manager("POST", "/repositories", { body: input(taken), headers });
  expect(codeOf(refused)).toBe("400 INVALID_PAYLOAD");
  const body = input();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => manager("POST", "/repositories", { body, headers })),
  );

  const codes = answers.map(codeOf);
  expect(codes).toContain("201");
  for (const code of codes) expect(["201", "409 IDEMPOTENCY_KEY_IN_USE"]).toContain(code);
  const rows = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM repository WHERE name = ?")
    .bind(body.name)
    .first("n");
  expect(rows).toBe(1);

  // What a worker that died left behind holds the key for a minute.
  const left = { ...headers, "idempotency-key": "left-behind" };
  const insert =
    "INSERT INTO idempotent_answer (api_key_id, idempotency_key, request_hash, created_at) " +
    "SELECT id, 'left-behind', 'hash', ? FROM api_key WHERE user_id = ?";
  await gatehouse.d1
    .prepare(insert)
    .bind(Date.now() - 61_000, admin.id)
    .run();
  expect((await manager("POST", "/repositories", { body: input(), headers: left })).status).toBe(
    201,
  );
  for (const bad of ["", "a b", "x".repeat(256), "é"]) {
    const answer = await manager("POST", "/repositories", {
      body: input(),
      headers: { "idempotency-key": bad },
    });
    expect(answer.body.errors?.[0]?.field).toBe("Idempotency-Key");
  }
});

test("a session's cookie opens nothing, and other sites are refused", async () => {
  const cookie = { cookie: "gatehouse.session_token=abc", "sec-fetch-site": "same-origin" };
  const nobody = aProgram(gatehouse, undefined);
  expect(codeOf(await nobody("GET", "/repositories", { headers: cookie }))).toBe(
    "401 API_KEY_MISSING",
  );
  const { headers } = await nobody("GET", "/repositories");
  expect(headers.get("www-authenticate")).toBe("Bearer");
  const foreign = { body: input(), headers: { origin: "https://elsewhere.example" } };
  expect((await manager("POST", "/repositories", foreign)).status).toBe(403);
});

test("a path or a method that the API does not have is a problem too", async () => {
  expect(codeOf(await manager("GET", "/nothing"))).toBe("404 NOT_FOUND");
  expect(codeOf(await manager("POST", "/nothing", { body: {} }))).toBe("404 NOT_FOUND");
  const refused = await manager("PATCH", "/repositories", { body: {} });
  expect(codeOf(refused)).toBe("405 METHOD_NOT_ALLOWED");
  expect(refused.headers.get("allow")).toBe("GET, POST, HEAD");
  expect((await manager("HEAD", "/repositories")).status).toBe(200);
});

test("the table of calls has every path of the API", () => {
  const calls: ApiEndpoint[] = Object.values(SERVER_FEATURES.api);
  const named = calls.map(({ path }) => path.replace(/\{(\w+)\}/g, ":$1"));
  const urls = listUrls().map(({ pattern }) => pattern);

  expect(urls.filter((url) => url.startsWith("/api/v1/")).sort()).toEqual(
    [...new Set([...named, "/api/v1/*"])].sort(),
  );
});

test("whatever programs send, no answer is a failure, and every refusal is in the table", async () => {
  const revoked = aProgram(gatehouse, `gh_${"0".repeat(64)}`);
  const programs = [user, member, manager, revoked];
  const { id } = await aRepository(gatehouse);
  const random = numbersFrom(41);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const texts = [
    "",
    "a",
    "x".repeat(3_000),
    "a.bc",
    "\ud800",
    "'; --",
    "__proto__",
    "\u0000",
    "مستودع",
    "%00",
  ];
  const values: unknown[] = [
    ...texts,
    null,
    true,
    -1,
    2 ** 53,
    [],
    {},
    [[]],
    { toString: 1 },
    undefined,
  ];
  const calls = isFull ? 20_000 : 200;

  for (let done = 0; done < calls; done += AT_ONCE) {
    // The limit of a key is another test's.
    if (done % 500 === 0) await gatehouse.d1.prepare("DELETE FROM rate_limit").run();
    await Promise.all(Array.from({ length: AT_ONCE }, callOnce));
  }

  async function callOnce() {
    const endpoint = pick(CALLS);
    const path = endpoint.path
      .slice("/api/v1".length)
      .replace("{id}", encodeURIComponent(pick([id, ...texts.map((text) => text.toWellFormed())])))
      .replace("{organization}", encodeURIComponent(pick([organization.slug, "x", "%"])));
    const search = new URLSearchParams(
      ["searchTerm", "sort", "direction", "size", "after"]
        .filter(() => random() < 0.3)
        .map((name) => [name, pick(["asc", "name", "20", "eyJ2IjoxfQ", ...texts])]),
    );
    const body = Object.fromEntries(
      ["name", "link", "description", "version", "constructor"]
        .filter(() => random() < 0.8)
        .map((name) => [name, pick([...values, newName(), LINK, 1])]),
    );
    const sent = pick<unknown>([
      body,
      body,
      body,
      "",
      "null",
      "[]",
      '{"__proto__":{"name":"x"}}',
      "{",
    ]);
    const isBodyless = ["GET", "HEAD"].includes(endpoint.method);
    const headers = {
      ...(random() < 0.3 && { "if-match": pick(['"1"', "*", "", '"', "W/", "1"]) }),
      ...(random() < 0.3 && { "idempotency-key": pick(["k", "l", "m"]) }),
      ...(random() < 0.1 && { "content-type": pick(["text/plain", "application/json; x", ";"]) }),
    };
    const answer = await pick(programs)(endpoint.method, `${path}?${search}`, {
      headers,
      ...(!isBodyless && { body: sent }),
    });
    const { status, headers: answered } = answer;
    const known = [...COMMON_ERRORS, ...endpoint.errors].map((error) => error.join(" "));
    if (status === endpoint.answer.status) return;
    expect(known.concat("404 NOT_FOUND")).toContain(codeOf(answer));
    expect(status).toBeLessThan(500);
    expect(answered.get("content-type")).toBe("application/problem+json");
    RepositoryProblem.parse(answer.body);
  }
}, 1_800_000);

/** Returns a function of numbers between 0 and 1 that are the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
