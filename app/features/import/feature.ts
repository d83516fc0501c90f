import type texts from "../../../locales/en/import.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** Users from a file. */
export const userImport = {
  name: "import",
  texts: {
    import: textsOf<typeof texts>(),
  },
  navigation: [
    {
      in: "users",
      to: "/manager/users/import",
      needs: ["user", "create"],
      label: "users:import",
      short: "users:importShort",
      icon: "upload",
    },
  ],
  harmless: {
    "users:upload":
      "Keeps the lines of a file, which only the same session can import. Lines with a manager's role need a proof.",
    "users:stop-import": "Stops an import, which can be continued.",
    "users:continue-import": "Goes on with an import that was started with a proof.",
    "users:close-import": "Ends an import. It can be done again.",
  },
  audit: {
    "users.import_started": { icon: "users", fields: ["lines", "known", "wrong", "left"] },
    "users.imported": { icon: "users", fields: ["created", "invitations"] },
  },
} as const satisfies FeatureFacts;
