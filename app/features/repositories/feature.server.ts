import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { REPOSITORY_API } from "./api.ts";
import type { repositories } from "./feature.ts";
import { REPOSITORY_FUNCTIONS } from "./name-function.server.ts";
import { readRecentRepositories, selectRecentRepositories } from "./recent-repositories.server.ts";
import { REPOSITORY_SOURCE } from "./repository-queries.server.ts";
import { sampleRepositories } from "./samples.server.ts";
import { repository } from "./tables.server.ts";

export const repositoriesServer = {
  samples: sampleRepositories,
  api: REPOSITORY_API,
  found: {
    repository: {
      source: REPOSITORY_SOURCE,
      detail: repository.link,
      text: repository.description,
    },
  },
  panels: {
    "recent-repositories": () => readOf(selectRecentRepositories, readRecentRepositories),
  },
  functions: REPOSITORY_FUNCTIONS,
} satisfies ServerFacts<typeof repositories>;
