import { afterAll, expect } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { type Answered, aProgram } from "../../../../tests/support/program.ts";
import { aProgramKey, programTest as test } from "../../../../tests/support/program-keys.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, newName } from "../../repositories/tests/repositories.ts";

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

function codeOf({ status, body }: Answered): string {
  return `${status} ${body.code ?? ""}`.trim();
}

test("an organization's key reads what is shared with it, and shares as its owner", async () => {
  const { id, name } = await aRepository(gatehouse);
  const path = `/repositories/${id}/organizations/${organization.slug}`;
  expect(codeOf(await member("GET", `/repositories/${id}`))).toBe("404 REPOSITORY_NOT_FOUND");

  expect((await member("PUT", path)).status).toBe(204);
  expect((await member("PUT", path)).status).toBe(204);
  expect((await member("GET", `/repositories/${id}`)).body).toMatchObject({ id, name });
  const { body } = await member("GET", "/repositories");
  expect(body.repositories.map((one: { id: string }) => one.id)).toEqual([id]);
  expect((await member("DELETE", path)).status).toBe(204);
  expect(codeOf(await member("DELETE", path))).toBe("404 REPOSITORY_NOT_FOUND");

  const events = await auditOf(gatehouse, organization.id);
  expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
    ["organization.repository_shared", owner.id],
    ["organization.repository_unshared", owner.id],
  ]);
  const { organization: other } = await anOrganization(gatehouse, {}, { owner });
  const elsewhere = `/repositories/${id}/organizations/${other.slug}`;
  expect(codeOf(await member("PUT", elsewhere))).toBe("404 ORGANIZATION_NOT_FOUND");
  expect(
    codeOf(
      await member("POST", "/repositories", {
        body: { name: newName(), link: "https://git.example/acme/gate" },
      }),
    ),
  ).toBe("403 API_KEY_LACKS_PERMISSION");
});

test("a manager's key shares with any organization, as in the back-office, and a user's key does not", async () => {
  const { id } = await aRepository(gatehouse);
  const path = `/repositories/${id}/organizations/${organization.slug}`;

  expect((await manager("PUT", path)).status).toBe(204);
  expect((await manager("DELETE", path)).status).toBe(204);
  expect(codeOf(await user("PUT", path))).toBe("403 API_KEY_LACKS_PERMISSION");
  const nowhere = `/repositories/${id}/organizations/nothing-has-this`;
  expect(codeOf(await manager("PUT", nowhere))).toBe("404 ORGANIZATION_NOT_FOUND");
  await gatehouse.d1
    .prepare("UPDATE organization SET disabled_at = 1 WHERE id = ?")
    .bind(organization.id)
    .run();
  expect(codeOf(await member("PUT", path))).toBe("403 ORGANIZATION_DISABLED");
  expect(codeOf(await manager("PUT", path))).toBe("403 ORGANIZATION_DISABLED");
});
