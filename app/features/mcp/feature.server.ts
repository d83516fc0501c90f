import type { ServerFacts } from "../../feature.server.ts";
import type { mcp } from "./feature.ts";
import { OPEN_CALLS } from "./mcp-paths.ts";

export const mcpServer = { openCalls: OPEN_CALLS } satisfies ServerFacts<typeof mcp>;
