import type { ServerFacts } from "../../feature.server.ts";
import type { userImport } from "./feature.ts";
import { importLines, wakeImports } from "./import-alarm.server.ts";
import { pruneImports } from "./import-commands.server.ts";

export const importServer = {
  minute: [{ name: "wake imports", run: wakeImports }],
  hour: [{ name: "prune imports", run: ({ db }, now) => pruneImports(db, now) }],
  alarms: { import: importLines },
} satisfies ServerFacts<typeof userImport>;
