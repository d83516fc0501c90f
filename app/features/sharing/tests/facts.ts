import { appScreen, PROGRAM_CALL } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import {
  aRepository,
  findRepositoryRow,
  someRepositories,
} from "../../repositories/tests/repositories.ts";
import { OWN_SHARING_ACTS, SHARING_ACTS } from "../acts.ts";
import { SharingForm } from "../input.ts";
import { SharingChange } from "../sharing-change.server.ts";

const OWN = "/app/organizations/:slug/repositories";
const OF_REPOSITORY = "/manager/repositories/:id";
const OF_ORGANIZATION = "/manager/organizations/:id";
const API = "/api/v1/repositories/:id/organizations/:organization";
const NOBODY = "nobody-has-this";
/** The repository that an organization shares whose URLs are asked for. */
const HIDDEN = { id: "hidden-blueprints", name: "Hidden Blueprints" };

type Ids = { slug: string };

export const facts = {
  access: { [OWN]: appScreen(404, 415), [API]: PROGRAM_CALL },
  commands: [
    [
      "share a repository with an organization",
      "/manager/repositories/none",
      { intent: "share", slug: "none" },
      ["admin"],
    ],
    [
      "end the sharing of a repository",
      "/manager/repositories/none",
      { intent: "unshare", organization: "none" },
      ["admin"],
    ],
  ],
  forms: {
    [OWN]: SharingForm,
    [OF_REPOSITORY]: SharingChange,
    // For keys alone, which no session of a browser is.
    [API]: [],
  },
  fields: () => ({ repository: HIDDEN.id, repositoryName: HIDDEN.name }),
  acts: {
    [OWN]: [
      [OWN_SHARING_ACTS.share, { intent: "share", repository: HIDDEN.id }],
      [OWN_SHARING_ACTS.unshare, { intent: "unshare", repository: HIDDEN.id }],
    ],
    [OF_REPOSITORY]: [
      [SHARING_ACTS.share, { intent: "share", slug: "no-such-organization" }],
      [SHARING_ACTS.unshare, { intent: "unshare", organization: NOBODY }],
    ],
    [OF_ORGANIZATION]: [
      [SHARING_ACTS.share, { intent: "share", repositoryName: "nothing" }],
      [SHARING_ACTS.unshare, { intent: "unshare", repository: NOBODY }],
    ],
  },
  leftBehind: {
    "repository:share": "A shared repository, which every user can read anyway.",
    "repository:unshare": "Nothing.",
    "own:share": "A shared repository, which every user can read anyway.",
    "own:unshare": "Nothing.",
  },
  changes: {
    "an organization": [OWN],
    "what programs and the mail provider change": [API],
  },
  changedByOwner: [OWN],
  tables: ["organization_repository"],
  async urls(gatehouse, organization): Promise<Record<string, string>> {
    if (!organization) return {};
    if (!(await findRepositoryRow(gatehouse, HIDDEN.id))) await aRepository(gatehouse, HIDDEN);
    await share(gatehouse, organization.id, [HIDDEN.id]);
    return {};
  },
  async seed(gatehouse, { organization: { id, slug } }): Promise<Ids> {
    const repositories = await someRepositories(gatehouse, 4);
    await share(
      gatehouse,
      id,
      repositories.map((repository) => repository.id),
    );
    return { slug };
  },
  screens: screensOf<Ids>("owner", {
    "shared-repositories": ({ slug }) => `/app/organizations/${slug}/repositories`,
    "share-a-repository": ({ slug }) => `/app/organizations/${slug}/repositories?share=a`,
  }),
  async translated({ organization, ofUser }) {
    const shared = `/app/organizations/${organization.slug}/repositories?share=zod-sample`;
    return [["app, shared repositories", ofUser, (browser) => browser.get(shared)]];
  },
  personal: ["organization_repository"],
  async know(insert, { id, at, key }) {
    await insert("repository", {
      id: key("repository"),
      name: key("Shared"),
      name_key: key("shared"),
      link: "https://example.org",
      created_at: at,
      updated_at: at,
    });
    await insert("organization_repository", {
      organization_id: key("org"),
      repository_id: key("repository"),
      shared_by: id,
      created_at: at,
    });
  },
  leftOpen: {
    async leave(gatehouse, { user, organization }) {
      const { id } = await aRepository(gatehouse);
      await share(gatehouse, organization.id, [id], user.id);
      return { shared: id };
    },
    probes: {
      "a repository they shared": {
        async works({ d1 }, { shared = "" }) {
          const row = await d1
            .prepare("SELECT 1 FROM organization_repository WHERE repository_id = ?")
            .bind(shared)
            .first();
          return row !== null;
        },
        // It stays shared: it is the organization's.
        endsBy: [],
      },
    },
  },
} satisfies FeatureTests<Ids>;

/** Shares repositories with an organization. */
async function share(
  { d1 }: Gatehouse,
  organizationId: string,
  ids: string[],
  sharedBy: string | null = null,
): Promise<void> {
  await d1.batch(
    ids.map((id) =>
      d1
        .prepare(
          `INSERT INTO organization_repository (organization_id, repository_id, shared_by, created_at)
           VALUES (?, ?, ?, ?)`,
        )
        .bind(organizationId, id, sharedBy, Date.now()),
    ),
  );
}
