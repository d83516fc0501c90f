import { afterAll, expect, test } from "vitest";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

// More values than D1 binds in one statement, in the filters of the calls.

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user, browser: admin } = await anAdmin(gatehouse);
const { organization } = await anOrganization(gatehouse, {}, { owner: user });

/** Returns a query with many values of a parameter. */
function manyOf(name: string, count: number, others: Record<string, string>) {
  const search = new URLSearchParams(others);
  for (let index = 0; index < count; index++) search.append(name, `id-${index}`);
  return search;
}

const LIST_PARAMS = ["searchValue", "searchField", "limit", "offset", "sortBy", "sortDirection"];

test.each([...LIST_PARAMS, "filterField", "filterOperator", "filterValue"])(
  "150 values of %s in the list of users are no error",
  async (name) => {
    const search = manyOf(name, 150, { filterField: "id", filterOperator: "in" });
    const answer = await admin.get(`/api/auth/admin/list-users?${search}`);
    await answer.arrayBuffer();
    expect(answer.status).toBeLessThan(500);
  },
);

test.each(["in", "not_in"])(
  "100 values of a filter of members by %s are read",
  async (operator) => {
    const search = manyOf("filterValue", 100, {
      filterField: "id",
      filterOperator: operator,
      organizationId: organization.id,
    });
    const answer = await admin.get(`/api/auth/organization/list-members?${search}`);
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
  },
);
