/** A request that a mail is about. */
export type Occasion = {
  /** Browser and system; null when the user agent names neither. */
  device: { browser: string; system: string } | null;
  /** City and country code, as far as they are known. */
  place: string | null;
  /** ISO 8601. */
  at: string;
};

/** An event about which the user of an account is told; the link opens their account screen. */
export type News = Occasion & { link: string };
