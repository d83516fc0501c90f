import type { Samples } from "../samples/sample-data.server.ts";
import {
  foundedAt,
  organizationId,
  tablesOfOrganizations,
} from "../samples/sample-organizations.server.ts";
import { type Row, sampleId, userId } from "../samples/sample-rows.ts";

/** Of so many repositories some are shared. */
const SHARED = 20;

/** What the organizations of the sample share. */
export const sampleSharings: Samples = (size, today) =>
  tablesOfOrganizations(size, today, {
    organization_repository: (index) => sampleSharing(index, size.things, today),
  });

function sampleSharing(organization: number, repositories: number, now: number): Row[] {
  return Array.from(
    { length: organization % 4 },
    (_, position) => (organization + position) % SHARED,
  )
    .filter((repository) => repository < repositories)
    .map((repository) => ({
      organization_id: organizationId(organization),
      repository_id: sampleId("repository", repository),
      shared_by: userId(organization),
      created_at: foundedAt(organization, now),
    }));
}
