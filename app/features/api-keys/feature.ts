import type apiTexts from "../../../locales/en/api.json";
import type texts from "../../../locales/en/api-keys.json";
import { type FeatureFacts, messageOf, textsOf } from "../../feature.ts";
import { kept } from "../mail/mail-rule.ts";
import type { News } from "../mail/occasion.ts";
import { API_KEY_LIMITS } from "./limits.ts";

/** Keys with which programs call `/api/v1`, and the description of all calls. */
export const apiKeys = {
  name: "api-keys",
  needs: ["program-news"],
  texts: {
    "api-keys": textsOf<typeof texts>(),
    api: textsOf<typeof apiTexts>(),
  },
  navigation: [
    {
      in: "appPages",
      to: "/app/account/keys",
      needs: ["apps", "app"],
      label: "search:pages.apiKeys",
      icon: "key-round",
      words: "search:words.apiKeys",
    },
    {
      in: "managerPages",
      to: "/manager/account/keys",
      needs: ["apps", "manager"],
      label: "search:pages.apiKeys",
      icon: "key-round",
      words: "search:words.apiKeys",
    },
    {
      in: "pages",
      to: "/api/docs",
      needs: ["apps", "app"],
      label: "search:pages.apiDocs",
      icon: "scroll-text",
      words: "search:words.apiDocs",
    },
  ],
  organizationPermissions: { apiKey: { create: ["owner"], delete: ["owner"] } },
  audit: {
    "api_key.created": { icon: "key-round" },
    "api_key.rotated": { icon: "key-round" },
    "api_key.revoked": { icon: "key-round" },
  },
  mails: {
    /** A new API key of the account, or of an organization. */
    "api-key-created": {
      rule: kept("warnings", "own user", API_KEY_LIMITS.made.max),
      message: messageOf<{ name: string; organization: string | null } & News>(),
    },
  },
  news: {
    keys: {
      // Those who end a key themselves know.
      kinds: ["key-ended"],
      needs: ["apiKey", "create"],
      organization: "/app/organizations/:slug/keys",
    },
  },
  setUp: {
    "api-key": {
      to: "/manager/account/keys",
      needs: ["apps", "manager"],
      label: "manager:setUp.apiKey",
      hint: "manager:setUp.apiKeyHint",
    },
  },
  panels: {
    "key-step": { in: "homeSteps" },
    "own-keys": { in: "accountPage" },
    "organization-keys": { in: "organizationSettings", needs: ["apiKey", "create"] },
    "keys-of-user": { in: "userPage", needs: ["session", "list"] },
  },
} as const satisfies FeatureFacts;
