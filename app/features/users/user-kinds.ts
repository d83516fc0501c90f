import type { UserFilters } from "./filter-options.ts";

const ROLES = ["", "admin"];
const STANDINGS = ["", "banned", "not-onboarded", "unverified"];
const NEVER_SIGNED_IN = "never-signed-in";

/**
 * The kinds of users that a role and a status leave, by the column `user.kind` of migration 0021: the words that set a
 * user apart from an active one who is no admin and has signed in. `word` is one that all of them have. `areBannedLeftOut`
 * says that users whose ban has ended by itself belong to the status too, and are of other kinds.
 */
export function kindsOf(role: UserFilters["role"], status: UserFilters["status"]) {
  const isNeverSignedIn = status === NEVER_SIGNED_IN;
  const isStanding = status !== undefined && !isNeverSignedIn;
  const standing = status === "active" ? "" : status;
  const names = ROLES.filter((one) => !role || one === (role === "admin" ? "admin" : "")).flatMap(
    (one) =>
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
