import { eq } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import { counter } from "../../db/schema/schema.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { REPOSITORY_API } from "./api.ts";
import type { repositories } from "./feature.ts";
import { REPOSITORY_FUNCTIONS } from "./name-function.server.ts";
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
    "repositories-step": () =>
      readOf(
        (db) =>
          db.select({ value: counter.value }).from(counter).where(eq(counter.name, "repository")),
        ([total]) => total?.value ?? 0,
      ),
  },
  functions: REPOSITORY_FUNCTIONS,
} satisfies ServerFacts<typeof repositories>;
