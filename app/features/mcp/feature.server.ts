import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import {
  selectRegistrationSettings,
  shownSettings,
} from "../connected-apps/registration.server.ts";
import type { mcp } from "./feature.ts";
import { OPEN_CALLS } from "./mcp-paths.ts";

export const mcpServer = {
  openCalls: OPEN_CALLS,
  panels: {
    // True when an agent may come that no manager has added.
    "agent-url": () =>
      readOf(selectRegistrationSettings, ([row]) => {
        const { byCall, byDocument } = shownSettings(row);
        return byCall || byDocument;
      }),
  },
} satisfies ServerFacts<typeof mcp>;
