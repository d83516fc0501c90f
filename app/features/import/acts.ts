import { actsOf } from "../access/act.ts";
import type { Permission } from "../access/permissions.ts";

const CREATE: Permission = ["user", "create"];

/** What managers do with an import of users. */
export const IMPORT_ACTS = actsOf("users", {
  upload: {
    permission: CREATE,
    harmless:
      "Keeps the lines of a file, which only the same session can import. Lines with a manager's role need a proof.",
  },
  import: { permission: CREATE },
  "stop-import": { permission: CREATE, harmless: "Stops an import, which can be continued." },
  "continue-import": {
    permission: CREATE,
    harmless: "Goes on with an import that was started with a proof.",
  },
  "close-import": { permission: CREATE, harmless: "Ends an import. It can be done again." },
});
