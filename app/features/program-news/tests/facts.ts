import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";

export const facts = {
  limits: {
    nobodyElse: {
      "NEWS_LIMITS.mails":
        "An owner who uses it up has caused three mails about it to the other owners, and what they do next is told with the next one.",
    },
  },
  personal: ["program_news"],
} satisfies FeatureTests;
