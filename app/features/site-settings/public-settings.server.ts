import { isUnavailable } from "../../db/bounded-d1.server.ts";
import type { Db } from "../../db/db.server.ts";
import { brand, siteSetting } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type Brand, type BrandDefaults, type BrandValues, brandInForce } from "./brand/brand.ts";
import type { SignUpMode } from "./choices.ts";
import type { LoginLink, LoginOffer } from "./login-offer.ts";

/** Seconds after which an isolate reads the settings again. */
const FRESH_SECONDS = 30;

/** Seconds for which an isolate asks a silent database no more: one request waits, and not each. */
const SILENT_SECONDS = 5;

/** What pages and mails show of the settings. */
export type PublicSettings = {
  signUpMode: SignUpMode;
  /** True when invitations of organizations open an account in mode "invitation". */
  organizationsAdmit: boolean;
  /** What the login page offers to people who cannot create an account. */
  loginLinks: readonly LoginLink[];
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
  /** The version of the terms that users must accept; undefined without one. */
  termsVersion: string | undefined;
  brand: Brand;
};

/** The environment's values, which hold for what managers have not set. */
export type SettingDefaults = {
  isDemo: boolean;
  signUpMode: SignUpMode;
  terms: { url: string | undefined; version: string | undefined; privacyUrl: string | undefined };
  brand: BrandDefaults;
};

type Row = Pick<
  typeof siteSetting.$inferSelect,
  "signUpMode" | "organizationsAdmit" | "termsUrl" | "privacyUrl" | "termsVersion"
>;

/**
 * Returns the settings in force: what managers have set, or else the environment. A demonstration has none of its own.
 */
function settingsInForce(
  { isDemo, signUpMode, terms, brand: defaults }: SettingDefaults,
  row: Row | undefined,
  setBrand?: BrandValues,
  offered: readonly LoginLink[] = [],
): PublicSettings {
  const set = isDemo ? undefined : row;
  const mode = set?.signUpMode ?? signUpMode;
  const termsUrl = set?.termsUrl ?? terms.url;
  return {
    signUpMode: mode,
    organizationsAdmit: set?.organizationsAdmit === true,
    loginLinks: isDemo || mode === "open" ? [] : offered,
    termsUrl,
    privacyUrl: set?.privacyUrl ?? terms.privacyUrl,
    termsVersion: termsUrl && !isDemo ? (set?.termsVersion ?? terms.version) : undefined,
    brand: brandInForce(defaults, setBrand),
  };
}

export type PublicSettingsReader = ReturnType<typeof createPublicSettings>;

/**
 * Reads the settings for every page and mail, which must not cost a query each. An isolate keeps its copy for 30
 * seconds, so a change is everywhere after at most that time. The rules of sign-up never use the copy.
 */
export function createPublicSettings(
  db: Db,
  defaults: SettingDefaults,
  offers: readonly LoginOffer[] = [],
) {
  let kept: { settings: PublicSettings; at: number } | undefined;
  let silentAt: number | undefined;
  return {
    async current(now: Date, freshSeconds = FRESH_SECONDS): Promise<PublicSettings> {
      if (defaults.isDemo) return settingsInForce(defaults, undefined);
      const at = now.getTime();
      if (kept && at - kept.at < freshSeconds * 1_000) return kept.settings;
      const known = kept?.settings ?? settingsInForce(defaults, undefined);
      if (silentAt !== undefined && at - silentAt < SILENT_SECONDS * 1_000) return known;
      try {
        const [[row], [setBrand], ...answers] = await db.batch([
          db.select().from(siteSetting),
          db.select().from(brand),
          ...offers.map(({ isOffered }) => isOffered.select(db)),
        ]);
        const offered = offers
          .filter(({ isOffered }, index) => isOffered.means(answers[index]))
          .map(({ to, label }) => ({ to, label }));
        kept = { settings: settingsInForce(defaults, row, setBrand, offered), at };
        return kept.settings;
      } catch (error) {
        // The login page shows without its database.
        log("warn", "settings.not_read", describeError(error));
        if (isUnavailable(error)) silentAt = at;
        return known;
      }
    },
    /** Makes the next page read the settings, after a change in this isolate. */
    forget() {
      kept = undefined;
      silentAt = undefined;
    },
  };
}
