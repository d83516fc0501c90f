import { afterAll } from "vitest";
import {
  type OrganizationChange,
  testChanges,
} from "../../../../tests/support/organization-changes.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository } from "../../repositories/tests/repositories.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Company = Awaited<ReturnType<typeof aCompany>>;

async function aCompany() {
  const owner = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: owner.user });
  const shared = await aRepository(gatehouse);
  const unshared = await aRepository(gatehouse);
  await gatehouse.d1
    .prepare("INSERT INTO organization_repository VALUES (?, ?, ?, 1)")
    .bind(organization.id, shared.id, owner.user.id)
    .run();
  return { owner, organization, shared, unshared };
}

const hasRepository = ({ organization }: Company, { id }: { id: string }) =>
  `EXISTS (SELECT 1 FROM organization_repository WHERE organization_id = '${organization.id}' AND repository_id = '${id}')`;

const CHANGES: Record<string, OrganizationChange<Company>> = {
  "the sharing of a repository": {
    form: ({ unshared }) => ({
      page: "repositories",
      fields: { intent: "share", repository: unshared.id },
    }),
    action: "organization.repository_shared",
    after: (company) => [hasRepository(company, company.unshared)],
  },
  "the end of a sharing": {
    form: ({ shared }) => ({
      page: "repositories",
      fields: { intent: "unshare", repository: shared.id },
    }),
    action: "organization.repository_unshared",
    after: (company) => [`NOT ${hasRepository(company, company.shared)}`],
  },
};

testChanges(gatehouse, CHANGES, aCompany);
