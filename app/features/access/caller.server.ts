import { type SQL, sql } from "drizzle-orm";
import { passkey, siteSetting, user } from "../../db/schema/schema.ts";
import type { Problem } from "../../http/problem.server.ts";
import type { ApiEndpoint } from "./api-endpoint.ts";
import { passkeyStanding } from "./passkey-demand.ts";
import { DEFAULT_ROLE, may } from "./permissions.ts";
import type { KeyHolder, LookupOptions } from "./program.server.ts";

/**
 * Columns of the user in whose name a program calls. `provedBy` is the passkey that proved the
 * session in which the program was allowed. In a batch two columns of one name would become one, so
 * some have another.
 */
export function ownerColumns({ termsVersion }: Pick<LookupOptions, "termsVersion">, provedBy: SQL) {
  return {
    id: sql<string>`${user.id}`.as("owner_id"),
    email: user.email,
    role: user.role,
    emailVerified: user.emailVerified,
    onboardedAt: user.onboardedAt,
    deletionDueAt: user.deletionDueAt,
    termsDue: sql<string | null>`nullif(${termsVersion}, ${user.termsVersion})`.as("terms_due"),
    passkeysSince: sql<
      number | null
    >`(SELECT ${siteSetting.managerPasskeysSince} FROM ${siteSetting})`.as("passkeys_since"),
    isProven: sql<number>`${provedBy} IS NOT NULL`.as("is_proven"),
    hasPasskey:
      sql<number>`EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = ${user.id})`.as(
        "has_passkey",
      ),
  };
}

type Owner = {
  id: string;
  email: string;
  role: string;
  onboardedAt: Date | null;
  termsDue: string | null;
  passkeysSince: number | null;
  isProven: number;
  hasPasskey: number;
};

/** Returns why no program may call for a user now. Errors: NOT_ONBOARDED, TERMS_NOT_ACCEPTED. */
export function refusalOfOwner({ onboardedAt, termsDue }: Owner): Problem | undefined {
  if (!onboardedAt) return { status: 403, code: "NOT_ONBOARDED" };
  if (termsDue) return { status: 403, code: "TERMS_NOT_ACCEPTED" };
  return undefined;
}

/**
 * Returns the owner with the role that programs have. As in a session, a manager who must use a
 * passkey, and whose program was allowed without one, is a user.
 */
export function ownerOf(
  row: Owner,
  { adminEmails, now }: Pick<LookupOptions, "adminEmails" | "now">,
): KeyHolder["user"] {
  const { passkeyDemand } = passkeyStanding({
    user: row,
    since: row.passkeysSince,
    isProven: row.isProven === 1,
    hasPasskey: row.hasPasskey === 1,
    releaseUntil: null,
    adminEmails,
    now,
  });
  return { id: row.id, role: passkeyDemand ? DEFAULT_ROLE : row.role };
}

/** True when a program makes a call for a user: it was given the permission by name, and the user has it. */
export function mayCall({ permissions, user: owner }: KeyHolder, call: ApiEndpoint): boolean {
  if (call.isForAll) return true;
  const [resource, action] = call.act.permission;
  const isGiven = permissions[resource]?.includes(action) ?? false;
  return !call.isOfOrganization && isGiven && may(owner, call.act.permission);
}
