import { DAY_MS } from "../../../values/time.ts";
import { can } from "../../access/permissions.ts";

/** Days after the switch in which managers without a passkey still come in. */
export const PASSKEY_GRACE_DAYS = 7;

/** What a manager must do before the back-office opens: add a passkey, or prove the session by one. */
export type PasskeyDemand = "add" | "confirm";

type Standing = {
  user: { role: string; email: string };
  /** Since when managers need a passkey, in milliseconds since 1970; null when they do not. */
  since: number | null;
  hasPasskey: boolean;
  adminEmails: readonly string[];
  now: Date;
};

/**
 * Returns what a session that no passkey has proven must do first, or until when it may go without. People in
 * `ADMIN_EMAILS` are never asked, so that a lost passkey locks no site.
 */
export function passkeyDemand({ user, since, hasPasskey, adminEmails, now }: Standing): {
  demand: PasskeyDemand | null;
  graceEndsAt: Date | null;
} {
  const isAsked =
    since !== null && can(user, "apps", "manager") && !adminEmails.includes(user.email);
  if (!isAsked) return { demand: null, graceEndsAt: null };
  if (hasPasskey) return { demand: "confirm", graceEndsAt: null };
  const graceEndsAt = new Date(since + PASSKEY_GRACE_DAYS * DAY_MS);
  return now < graceEndsAt ? { demand: null, graceEndsAt } : { demand: "add", graceEndsAt: null };
}
