import type { UserFilters } from "./filter-options.ts";

const KIND_ROLES = ["", "admin"];
const STANDINGS = ["", "banned", "not-onboarded", "unverified"];
const NEVER_SIGNED_IN = "never-signed-in";

/**
 * Returns the values of the column `user.kind` (migration 0021) that match a role and a status. A kind lists the words
 * that set a user apart from an active non-admin who has signed in. `word` is a word that all matching kinds share.
 * With `areBannedLeftOut` the status also includes users whose ban has expired, who are still of a banned kind.
 */
export function kindsOf(role: UserFilters["role"], status: UserFilters["status"]) {
  const isNeverSignedIn = status === NEVER_SIGNED_IN;
  const isStanding = status !== undefined && !isNeverSignedIn;
  const standing = status === "active" ? "" : status;
  const roles = role === "admin" ? ["admin"] : role === "user" ? [""] : KIND_ROLES;
  const names = roles.flatMap((one) =>
    STANDINGS.filter((other) => !isStanding || other === standing).flatMap((other) =>
      (isNeverSignedIn ? [NEVER_SIGNED_IN] : ["", NEVER_SIGNED_IN]).map((seen) =>
        [one, other, seen].filter(Boolean).join(" "),
      ),
    ),
  );
  return {
    names,
    word: standing || (role === "admin" ? "admin" : undefined),
    areBannedLeftOut: isStanding && status !== "banned",
    areOthersWithoutWord: Boolean(standing),
  };
}
