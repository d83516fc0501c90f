import { managerScreen } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { RevokeForm } from "../input.ts";

const KEYS_OF_USER = "/manager/users/:id/keys";

export const facts = {
  access: {
    [KEYS_OF_USER]: managerScreen("/manager/users/nothing-has-this?tab=sessions", 415, {
      write: { auditor: 403 },
    }),
  },
  managers: { [KEYS_OF_USER]: ["admin", "support", "auditor"] },
  forms: { [KEYS_OF_USER]: RevokeForm },
  acts: { [KEYS_OF_USER]: [["user:revoke-key", { key: "nobody-has-this" }]] },
  changes: { "the back-office": [KEYS_OF_USER] },
} satisfies FeatureTests;
