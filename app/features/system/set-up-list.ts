import type { SetUpStep } from "../../feature.ts";
import { joined } from "../../features.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import type { Permission } from "../access/permissions.ts";

// `features.check.ts` compares their texts, paths and permissions with the tables.

/** The steps that features add to the list, by their names. */
export const FEATURE_STEPS = joined("setUp") as Readonly<
  Partial<Record<string, SetUpStep & { label: MessageKey; hint: MessageKey; needs: Permission }>>
>;

/** The steps of the core, in the order in which a new site takes them. */
export type CoreStep = "domain" | "mail" | "brand" | "signUp" | "admin" | "backup";

/**
 * The set-up list of the dashboard. Each tick comes from the settings, or from what the database
 * knows.
 */
export type SetUpList = {
  /** The core's steps that are done. */
  done: Readonly<Record<CoreStep, boolean>>;
  /** The features' steps that are done. */
  ofFeatures: Readonly<Record<string, boolean>>;
  /** True when a manager hid the list. */
  isHidden: boolean;
  /** Host of the site's URL. */
  host: string;
  /** True while mails stay in the local inbox. */
  isMailLocal: boolean;
  backupAt: Date | null;
};

/** True while the dashboard shows the list: it is not hidden, and something is left to do. */
export function isListShown({ isHidden, done, ofFeatures }: SetUpList): boolean {
  return !isHidden && [...Object.values(done), ...Object.values(ofFeatures)].includes(false);
}
