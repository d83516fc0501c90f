import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SEARCH = "/_server/record-search";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);
const { browser: newcomer } = await anAdmin(gatehouse, { onboarded_at: null });
const anonymous = newBrowser(gatehouse);

async function search(browser: Browser, searchTerm: unknown) {
  const payload = JSON.stringify({ searchTerm });
  const response = await browser.get(`${SEARCH}?${new URLSearchParams({ payload })}`);
  expect(response.status).toBe(200);
  return JSON.parse(await response.text()).result as {
    users: { id: string; name: string; email: string }[];
    organizations: { id: string; name: string; slug: string }[];
  };
}

test("managers find users by name and e-mail, those that begin with the term first; users find none", async () => {
  const person = await aUser(gatehouse, { name: "Zuhura Wanjiru", email: "zw@numbat.example" });
  const begins = await aUser(gatehouse, { name: "Wanjiru", created_at: 1 });

  expect((await search(manager, "  NUMBAT ")).users).toEqual([
    { id: person.id, name: "Zuhura Wanjiru", avatar: null, email: person.email },
  ]);
  const ids = (await search(manager, "wanjiru")).users.map(({ id }) => id);
  expect(ids).toEqual([begins.id, person.id]);
  expect((await search(user, "wanjiru")).users).toEqual([]);
});

test("managers find organizations by name and slug, users do not", async () => {
  const { organization } = await anOrganization(gatehouse, { name: "Quokka", slug: "the-quokka" });

  const found = [{ id: organization.id, name: "Quokka", slug: "the-quokka" }];
  for (const term of ["quok", "the-q"]) {
    expect((await search(manager, term)).organizations).toEqual(found);
    expect((await search(user, term)).organizations).toEqual([]);
  }
});

test.each([
  ["an anonymous visitor", anonymous, 401, "UNAUTHORIZED"],
  ["a user without a name", newcomer, 403, "NOT_ONBOARDED"],
])("a search by %s is refused", async (_name, browser, status, code) => {
  const response = await browser.api(SEARCH, { payload: { searchTerm: "zod" }, context: {} });

  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: { code } });
});

test.each([[undefined], [null], [""], ["   "], [7], [["zod"]], [{}], ["x".repeat(201)]])(
  "a search for %j is refused with its field",
  async (searchTerm) => {
    const response = await manager.api(SEARCH, { payload: { searchTerm }, context: {} });

    expect(response.status).toBe(400);
    const { error } = JSON.parse(await response.text());
    expect(error.code).toBe("INVALID_PAYLOAD");
    expect(Object.keys(error.fields)).toEqual(["searchTerm"]);
  },
);

test("a search makes two database calls: one for the session, one for all results", async () => {
  await using probed = await startGatehouse();
  const { browser } = await anAdmin(probed);
  // The first request of a session also writes the visit.
  await browser.get("/manager/dashboard");
  for (const searchTerm of ["z", "zod"]) {
    const payload = JSON.stringify({ searchTerm });
    const response = await browser.get(`${SEARCH}?${new URLSearchParams({ payload })}`);
    expect([response.status, response.headers.get("x-d1-calls")]).toEqual([200, "2"]);
  }
});
