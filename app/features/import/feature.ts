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
  audit: {
    "users.import_started": { icon: "users", fields: ["lines", "known", "wrong", "left"] },
    "users.imported": { icon: "users", fields: ["created", "invitations"] },
  },
} as const satisfies FeatureFacts;
