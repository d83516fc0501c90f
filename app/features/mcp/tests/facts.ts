import { open } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { MCP, RESOURCE_METADATA } from "../mcp-paths.ts";

const METADATA = `${RESOURCE_METADATA}/*`;

export const facts = {
  access: {
    [MCP]: open(405, 401),
    [METADATA]: open(404, 405),
  },
  // An answer to programs, which have no session.
  forms: { [MCP]: [] },
  changes: { nothing: [MCP] },
} satisfies FeatureTests;
