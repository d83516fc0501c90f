import { PASSKEY_GRACE_DAYS } from "../../values/limits.ts";
import { DAY_MS } from "../../values/time.ts";
import { can } from "./permissions.ts";

/** What a manager must do before the back-office opens: add a passkey, or prove the session by one. */
type PasskeyDemand = "add" | "confirm";

/** What passkeys ask of a session. */
export type PasskeyStanding = {
  /** What must be done before the back-office opens; until then the role is `user`. */
  passkeyDemand: PasskeyDemand | null;
  /** Until when a manager may go without a passkey; null when that is no question. */
  passkeyGraceEndsAt: Date | null;
  /** True while an admin lets the manager add a first passkey. */
  isPasskeyReleased: boolean;
  /** True when the user has a passkey, and none has proven this session. */
  lacksPasskeyProof: boolean;
  /** True when only a passkey counts as a fresh proof. */
  provesByPasskey: boolean;
};

export const NO_DEMAND: PasskeyStanding = {
  passkeyDemand: null,
  passkeyGraceEndsAt: null,
  isPasskeyReleased: false,
  lacksPasskeyProof: false,
  provesByPasskey: false,
};

type Known = {
  user: { role: string; email: string };
  /** Since when managers need a passkey, in milliseconds since 1970; null when they do not. */
  since: number | null;
  /** True when a passkey that the user still has has proven the session. */
  isProven: boolean;
  hasPasskey: boolean;
  /** Until when an admin lets the user add a first passkey, in milliseconds since 1970. */
  releaseUntil: number | null;
  adminEmails: readonly string[];
  now: Date;
};

/**
 * Returns what passkeys ask of a session. Managers must use one while the site's rule holds; people in `ADMIN_EMAILS`
 * never must, so that a lost passkey locks no site.
 */
export function passkeyStanding(known: Known): PasskeyStanding {
  const { user, since, isProven, adminEmails, now } = known;
  const hasPasskey = isProven || known.hasPasskey;
  const standing = { ...NO_DEMAND, lacksPasskeyProof: hasPasskey && !isProven };
  const isAsked =
    since !== null && can(user, "apps", "manager") && !adminEmails.includes(user.email);
  if (!isAsked) return standing;
  if (hasPasskey) {
    const passkeyDemand = isProven ? null : "confirm";
    return { ...standing, provesByPasskey: true, passkeyDemand };
  }
  const graceEndsAt = new Date(since + PASSKEY_GRACE_DAYS * DAY_MS);
  if (now < graceEndsAt) return { ...standing, passkeyGraceEndsAt: graceEndsAt };
  const isPasskeyReleased = known.releaseUntil !== null && known.releaseUntil > now.getTime();
  return { ...standing, passkeyDemand: "add", isPasskeyReleased };
}

/** What a user changes about their own account: a new passkey, another sign-in method, or anything else. */
export type OwnChange = "new-passkey" | "method" | "account";

/**
 * True when a change needs a session that a passkey has proven, and this one is not. Sign-in
 * methods of a user with a passkey need it always, everything else while the back-office is closed
 * by a demand. So a stolen mailbox neither adds a sign-in method beside the owner's passkey nor
 * takes the account of a manager.
 */
export function isPasskeyMissing(
  { passkeyDemand, isPasskeyReleased, lacksPasskeyProof }: PasskeyStanding,
  change: OwnChange,
): boolean {
  if (passkeyDemand === "add") return change !== "new-passkey" || !isPasskeyReleased;
  return passkeyDemand === "confirm" || (change !== "account" && lacksPasskeyProof);
}
