import type texts from "../../../locales/en/repositories.json";
import { type FeatureFacts, placeOf, textsOf } from "../../feature.ts";
import type { RefusedForm } from "../../ui/forms/refused-form.ts";
import type { OrganizationRole } from "../access/role-names.ts";

/** The sample that the product comes with: links to repositories, which managers write and every user reads. */
export const repositories = {
  name: "repositories",
  texts: { repositories: textsOf<typeof texts>() },
  navigation: [
    {
      in: "app",
      to: "/app/repositories",
      needs: ["repository", "read"],
      label: "app:repositories",
      icon: "folder-git-2",
      search: "common:repositories.search",
    },
    {
      in: "manager",
      to: "/manager/repositories",
      needs: ["repository", "read"],
      label: "manager:repositories",
      icon: "folder-git-2",
      search: "common:repositories.search",
    },
    {
      in: "actions",
      to: "/manager/repositories/new",
      needs: ["repository", "create"],
      label: "common:repositories.new",
      icon: "folder-plus",
    },
  ],
  places: {
    /** A repository in the back-office, below its events. */
    "repositories:office": placeOf<{ id: string; name: string; result: RefusedForm }>(),
    /** Among the facts of a repository in the app. */
    "repositories:app": placeOf<object>(),
    /** Above the list of those of the active organization, and in it without any. */
    "repositories:list": placeOf<{ organization: string }>(),
    "repositories:noneInList": placeOf<{
      organization: string;
      slug: string;
      role: OrganizationRole;
    }>(),
  },
  panels: { "repositories-step": { in: "homeSteps", needs: ["repository", "read"] } },
  things: {
    repository: {
      table: "repository",
      title: "name",
      icon: "folder-git-2",
      label: "common:repositories.all",
      to: "/manager/repositories/:id",
      toInApp: "/app/repositories/:id",
      needs: ["repository", "read"],
    },
  },
  figures: {
    repository: {
      to: "/manager/repositories",
      needs: ["repository", "read"],
      label: "manager:dashboard.repositories",
      added: "repository.created",
    },
  },
  permissions: {
    repository: {
      read: ["support", "auditor", "user"],
      create: [],
      update: [],
      delete: [],
      export: ["auditor"],
    },
  },
  harmless: {
    "repository.read": "Reads.",
    "repository.export": "Every user reads the repositories.",
    "repository.create": "Is recorded, and can be undone.",
    "repository.update": "Is recorded with what was there before, and can be changed back.",
  },
  audit: {
    "repository.created": {
      icon: "folder-plus",
      fields: ["description"],
      webhook: { type: "repository.created", for: "site" },
    },
    "repository.updated": {
      icon: "pencil",
      webhook: { type: "repository.updated", for: "all" },
    },
    "repository.deleted": {
      icon: "trash-2",
      webhook: { type: "repository.deleted", for: "all" },
    },
    "repository.restored": {
      icon: "folder-git-2",
      webhook: { type: "repository.restored", for: "site" },
    },
  },
} as const satisfies FeatureFacts;
