import type texts from "../../../locales/en/sharing.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/**
 * Repositories that members share into their organization. `repository.create` shares one,
 * `repository.delete` ends that.
 */
export const sharing = {
  name: "sharing",
  needs: ["repositories"],
  texts: { sharing: textsOf<typeof texts>() },
  parts: [
    {
      name: "repositories",
      to: "/app/organizations/:slug/repositories",
      label: "organizations:nav.repositories",
      after: "invitations",
      form: {
        opens: "?share",
        needs: ["repository", "create"],
        label: "organizations:repositories.share",
        icon: "plus",
        isDrawer: true,
        isInList: true,
      },
    },
  ],
  panels: {
    "organization-repositories": { in: "organizationOverview" },
    "office-repositories": { in: "officeOrganization" },
    "home-repositories": { in: "home" },
    "home-share": { in: "homeActions" },
    "repository-organizations": { in: "repositories:office", needs: ["organization", "read"] },
    "own-organizations": { in: "repositories:app" },
    "shared-into": { in: "repositories:list" },
    "none-shared-into": { in: "repositories:noneInList" },
  },
  organizationPermissions: {
    repository: {
      read: ["owner", "admin", "member"],
      create: ["owner", "admin"],
      delete: ["owner", "admin"],
    },
  },
  audit: {
    "organization.repository_shared": {
      icon: "building-2",
      fields: ["repository"],
      about: "repository",
      webhook: { type: "repository.shared", for: "all", ids: ["organization", "repository"] },
    },
    "organization.repository_unshared": {
      icon: "building-2",
      about: "repository",
      webhook: { type: "repository.unshared", for: "all", ids: ["organization", "repository"] },
    },
  },
} as const satisfies FeatureFacts;
