import { createAuthClient } from "better-auth/client";
import { adminClient } from "better-auth/client/plugins";
import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser } from "../../../../tests/support/client.ts";
import { anAdmin, aSignedInUser, aUser, type Person } from "../../../../tests/support/people.ts";
import { plansOf } from "../../../../tests/support/plans.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { createDb } from "../../../db/db.server.ts";
import { ListUsersQuery, listUsersForApi } from "../users/list-users-api.server.ts";

// Tests `/api/auth/admin/list-users` with better-auth's own client.

const PATH = "/api/auth/admin/list-users";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse, {
  email: "mona@admins.example",
  created_at: 1,
});
const LONG = `${"long-".repeat(12)}mailbox@users.example`;
const add = (overrides: Partial<Person>) => aUser(gatehouse, overrides);
const zoe = await add({ name: "Zoë Čapková", email: "zoe@users.example", created_at: 2 });
const layla = await add({ name: "ليلى حداد", email: LONG, created_at: 3 });
const banned = await add({
  name: "Banned",
  email: "b_nned@users.example",
  banned: 1,
  ban_reason: "Spam",
  created_at: 4,
});
const nameless = await add({
  name: "",
  email: "nameless@other.example",
  email_verified: 0,
  onboarded_at: null,
  created_at: 5 * DAY_MS,
});

function clientFor(browser: Browser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return createAuthClient({
    baseURL: gatehouse.url.origin,
    plugins: [adminClient()],
    fetchOptions: { headers: { cookie, "cf-connecting-ip": browser.ipAddress } },
  });
}

const client = clientFor(manager);
type Query = Parameters<typeof client.admin.listUsers>[0]["query"];

async function list(query: Query) {
  const { data, error } = await client.admin.listUsers({ query });
  if (!data) throw new Error(`${error?.status} ${error?.code}`);
  return data;
}

async function namesOf(query: Query): Promise<string[]> {
  const { users } = await list({ sortBy: "createdAt", ...query });
  return users.map(({ name }) => name);
}

test("better-auth's client lists users with total, limit and offset", async () => {
  const { users, ...rest } = await list({ limit: 2, offset: 1, sortBy: "createdAt" });

  expect(users.map(({ id }) => id)).toEqual([zoe.id, layla.id]);
  expect(rest).toEqual({ total: 5, limit: 2, offset: 1 });
  expect(users[0]?.createdAt).toEqual(new Date(2));
});

test("a listed user has the fields that a manager may see, and no other", async () => {
  const { users } = await list({ searchValue: "b_nned" });

  expect(users).toHaveLength(1);
  expect(users[0]).toMatchObject({
    id: banned.id,
    email: banned.email,
    emailVerified: true,
    role: "user",
    banned: true,
    banReason: "Spam",
  });
  expect(Object.keys(users[0] ?? {}).sort()).toEqual([
    ...["banExpires", "banReason", "banned", "createdAt", "deletionDueAt", "email"],
    ...["emailVerified", "id", "image", "language", "lastSeenAt", "name", "onboardedAt"],
    ...["role", "updatedAt"],
  ]);
});

test.each<[Query, string[]]>([
  [{ searchValue: "users.example" }, [zoe.name, layla.name, banned.name]],
  [{ searchValue: "USERS.example" }, [zoe.name, layla.name, banned.name]],
  [{ searchValue: "zoe capk", searchField: "name" }, [zoe.name]],
  [{ searchValue: "ČAP", searchField: "name" }, [zoe.name]],
  [{ searchValue: "يلى", searchField: "name" }, [layla.name]],
  [{ searchValue: "لي", searchField: "name" }, [layla.name]],
  [{ searchValue: "zoe", searchField: "name", searchOperator: "starts_with" }, [zoe.name]],
  [{ searchValue: "capkova", searchField: "name", searchOperator: "starts_with" }, []],
  [{ searchValue: "capkova", searchField: "name", searchOperator: "ends_with" }, [zoe.name]],
  [{ searchValue: "users", searchOperator: "starts_with" }, []],
  [{ searchValue: "name", searchOperator: "starts_with" }, [nameless.name]],
  [{ searchValue: "other.example", searchOperator: "ends_with" }, [nameless.name]],
  [{ searchValue: "le", searchOperator: "ends_with", limit: 1 }, [admin.name]],
  [{ searchValue: LONG }, [layla.name]],
  [{ searchValue: `${LONG}.${"x".repeat(3_000)}` }, []],
  [{ searchValue: "%" }, []],
  [{ searchValue: "b_n" }, [banned.name]],
  [{ searchValue: "a_n" }, []],
  [{ searchValue: "users", searchField: "name" }, []],
  [{ searchValue: "zoe", searchField: "email", searchOperator: "contains" }, [zoe.name]],
])("the search %j finds %j", async (query, names) => {
  expect(await namesOf(query)).toEqual(names);
});

test.each<[Query, string[]]>([
  [{ filterField: "role", filterValue: "admin" }, [admin.name]],
  [{ filterField: "role", filterValue: "admin", filterOperator: "ne", limit: 1 }, [zoe.name]],
  [{ filterField: "banned", filterValue: true }, [banned.name]],
  [{ filterField: "emailVerified", filterValue: false }, [nameless.name]],
  [{ filterField: "email", filterValue: zoe.email }, [zoe.name]],
  [
    { filterField: "id", filterOperator: "in", filterValue: [zoe.id, layla.id] },
    [zoe.name, layla.name],
  ],
  [
    { filterField: "id", filterOperator: "not_in", filterValue: [admin.id, zoe.id, layla.id] },
    [banned.name, nameless.name],
  ],
  [{ filterField: "name", filterOperator: "starts_with", filterValue: "zoe" }, [zoe.name]],
  [{ filterField: "createdAt", filterOperator: "gt", filterValue: 4 }, [nameless.name]],
  [
    { filterField: "createdAt", filterOperator: "gte", filterValue: "1970-01-02T00:00:00Z" },
    [nameless.name],
  ],
  [{ filterField: "createdAt", filterOperator: "lte", filterValue: 2 }, [admin.name, zoe.name]],
  [{ filterField: "role", filterValue: "user", searchValue: "nned" }, [banned.name]],
])("the filter %j returns %j", async (query, names) => {
  const { total, users } = await list({ sortBy: "createdAt", ...query });

  expect(users.map(({ name }) => name)).toEqual(names);
  if (!query.limit) expect(total).toBe(names.length);
});

test.each(["createdAt", "name", "email", "lastSeenAt"] as const)(
  "users are sorted by %s in both directions, and an offset continues after a limit",
  async (sortBy) => {
    const all = await namesOf({ sortBy, sortDirection: "asc" });
    const back = await namesOf({ sortBy, sortDirection: "desc" });
    const parts = [
      ...(await namesOf({ sortBy, limit: 2 })),
      ...(await namesOf({ sortBy, limit: 2, offset: 2 })),
      ...(await namesOf({ sortBy, limit: 2, offset: 4 })),
    ];

    expect(all).toHaveLength(5);
    expect(back).toEqual(all.toReversed());
    expect(parts).toEqual(all);
  },
);

test("without an order the newest users come first", async () => {
  const { users } = await list({ limit: 1 });

  expect(users.map(({ id }) => id)).toEqual([nameless.id]);
});

test("a limit is at most 100, and empty values count as absent", async () => {
  const answer = async (search: string) =>
    JSON.parse(await (await manager.get(`${PATH}?${search}`)).text());

  expect(await answer("limit=5000")).toMatchObject({ limit: 100, offset: 0, total: 5 });
  expect(await answer("limit=&offset=&sortBy=&searchValue=&filterField=")).toMatchObject({
    limit: 100,
    offset: 0,
    total: 5,
  });
  expect(await answer("offset=10000")).toEqual({ users: [], limit: 100, offset: 10_000, total: 5 });
});

test.each([
  "limit=x",
  "limit=-1",
  "limit=0",
  "limit=1.5",
  "limit=1e400",
  "offset=-1",
  "offset=10001",
  "offset=99999999999999",
  "searchField=role",
  "searchField=__proto__",
  "searchOperator=like",
  "sortBy=password",
  "sortBy=constructor",
  "sortDirection=up",
  "filterField=searchKey&filterValue=x",
  "filterField=__proto__&filterValue=x",
  "filterField=role&filterValue=king",
  "filterField=role&filterValue=admin&filterOperator=gt",
  "filterField=banned&filterValue=maybe",
  "filterField=createdAt&filterValue=someday",
  "filterField=createdAt&filterValue=1&filterOperator=contains",
  "filterField=email&filterValue=a&filterOperator=like",
  "filterField=email&filterValue=a&filterValue=b",
  `filterField=id&filterOperator=in&${Array.from({ length: 200 }, (_, index) => `filterValue=${index}`).join("&")}`,
])("the query %j is refused with an error code", async (search) => {
  const response = await manager.get(`${PATH}?${search}`);

  expect([response.status, await response.json()]).toMatchObject([
    400,
    { code: "INVALID_PAYLOAD" },
  ]);
});

test("characters with a meaning in SQL or the search index are searched literally", async () => {
  for (const value of [
    '"',
    "'",
    "\0",
    "a\nb",
    '" OR *',
    "NEAR(a b)",
    "\u{1f600}",
    "\ud800",
    "ß",
    "\u00ad",
  ]) {
    for (const searchOperator of ["contains", "starts_with", "ends_with"]) {
      for (const part of ["search", "filter"]) {
        const search = new URLSearchParams({
          [`${part}Field`]: "name",
          [`${part}Value`]: value,
          [`${part}Operator`]: searchOperator,
        });
        expect((await manager.get(`${PATH}?${search}`)).status, `${search}`).toBe(200);
      }
    }
  }
});

test("a search of three letters or more does not read the whole table", async () => {
  const query = ListUsersQuery.parse({ searchValue: "nameless", searchOperator: "starts_with" });
  const plans = await plansOf(gatehouse, (db) => listUsersForApi(db, query));

  expect(plans.filter((line) => line === "SCAN user")).toEqual([]);
  const answered = await listUsersForApi(createDb(gatehouse.d1), query);
  expect(answered).toMatchObject({ ok: true, body: { total: 1 } });
});

test("better-auth's client receives a refusal as an error code", async () => {
  const { browser: plain } = await aSignedInUser(gatehouse, { email: "plain@plain.example" });
  try {
    const { data, error } = await clientFor(plain).admin.listUsers({ query: {} });

    expect(data).toBeNull();
    expect(error).toMatchObject({ status: 403, code: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS" });
  } finally {
    await gatehouse.d1.prepare("DELETE FROM user WHERE email = 'plain@plain.example'").run();
  }
});

test("only an admin gets the list, and a failing database answers an error instead of an empty list", async () => {
  gatehouse.tolerateErrors();
  const path = "/api/auth/admin/list-users";
  const { browser } = await anAdmin(gatehouse);
  const { browser: plain } = await aSignedInUser(gatehouse);
  const { browser: newcomer } = await anAdmin(gatehouse, { onboarded_at: null });

  for (const [asker, status, code] of [
    [newBrowser(gatehouse), 401, "UNAUTHORIZED"],
    [plain, 403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS"],
    [newcomer, 403, "NOT_ONBOARDED"],
  ] as const) {
    const response = await asker.get(path);
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  }
  for (const fault of ["1 before", "2 before", "2 after"]) {
    const response = await browser.get(path, { headers: { "x-d1-fault": fault } });
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: "DATABASE_UNAVAILABLE" },
    ]);
  }
  expect((await browser.get(path)).status).toBe(200);
});
