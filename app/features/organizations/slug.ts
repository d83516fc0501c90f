import type { FeatureFacts } from "../../feature.ts";
import { FEATURES } from "../../features.ts";

const FACTS: readonly FeatureFacts[] = FEATURES;

/**
 * Slugs that no organization may have: path segments of the product, and names that would pass for the product itself.
 * They are a last path segment after `/app/organizations/`.
 */
export const RESERVED_SLUGS: readonly string[] = [
  ...["new", "invitations", "invitation", "organizations", "members", "settings"],
  ...["account", "notices", "personal", "me", "all", "search", "export", "import"],
  ...["app", "manager", "admin", "administrator", "api", "auth", "login", "sign-in", "sign-out"],
  ...["onboarding", "restore", "avatars", "logos", "assets", "static", "public", "health", "ready"],
  ...["gatehouse", "support", "help", "security", "root", "system", "null", "undefined", "www"],
  ...FACTS.flatMap(({ parts = [] }) => parts.map(({ name }) => name)),
];

/** Lower-case letters and digits, in groups with one hyphen between them. */
export const SLUG_PATTERN = /^[a-z\d]+(?:-[a-z\d]+)*$/;
