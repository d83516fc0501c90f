import type { ServerFacts } from "../../feature.server.ts";
import type { userImport } from "./feature.ts";
import { pruneImports } from "./import-commands.server.ts";

export const importServer = {
  hour: [{ name: "prune imports", run: ({ db }, now) => pruneImports(db, now) }],
} satisfies ServerFacts<typeof userImport>;
