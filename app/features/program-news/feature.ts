import type texts from "../../../locales/en/program-news.json";
import { type FeatureFacts, messageOf, textsOf } from "../../feature.ts";
import { causedByUsers } from "../mail/mail-rule.ts";

type News = { what: string; name: string; by: string | null };

/**
 * Tells people by mail what others did with things that act for programs. The features that have
 * such things name them.
 */
export const programNews = {
  name: "program-news",
  texts: { "program-news": textsOf<typeof texts>() },
  mails: {
    /**
     * To those who may change such things of an organization, or the site's (null): what others
     * did. `by` is null when the account is gone; the link opens the page.
     */
    "programs-changed": {
      rule: causedByUsers(10, 8),
      message: messageOf<{
        organization: string | null;
        news: readonly News[];
        isMore: boolean;
        page: string;
        link: string;
      }>(),
    },
  },
} as const satisfies FeatureFacts;
