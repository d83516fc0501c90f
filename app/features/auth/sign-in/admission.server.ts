import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { siteSetting } from "../../../db/schema/schema.ts";
import type { AdmissionRule } from "../codes/sign-in-steps.ts";

/**
 * Returns an SQL condition: a person with this e-mail may get a sign-in code, and so an account.
 * `link` is the id of the invitation link that the person follows.
 */
export type Admission = (email: string, now: Date, link?: string | undefined) => SQL;

/** Reads whether a page to open after the sign-in is an invitation link, and returns its id. */
type EntryLinkOf = (page: string | undefined) => Promise<string | undefined>;

/** How the sign-in asks who may come in. */
export type AdmissionParts = { admissionOf: Admission; entryLinkOf: EntryLinkOf };

type Newcomer = { email: string; now: Date; link: string | undefined };

/**
 * Returns an SQL expression: the rule by which a person with this e-mail gets no sign-in code, or
 * NULL. Only managers are told.
 */
export type RefusalRule = (email: string, now: Date) => SQL<AdmissionRule | null>;

/** Query for the rule. */
export function selectRefusal(db: Db, rule: SQL<AdmissionRule | null>) {
  return db.select({ rule: rule.as("refusal_rule") }).from(siteSetting);
}

/** Query for an admission, alone or in a batch. `site_setting` has one row. */
export function selectAdmission(db: Db, admissionOf: Admission, { email, now, link }: Newcomer) {
  const isAdmitted = admissionOf(email, now, link);
  const isByLink = link ? sql`(${isAdmitted} AND NOT ${admissionOf(email, now)})` : sql`false`;
  return db
    .select({
      isAdmitted: sql<0 | 1>`${isAdmitted}`.as("is_admitted"),
      isByLink: sql<0 | 1>`${isByLink}`.as("is_by_link"),
    })
    .from(siteSetting);
}

/**
 * Reads the answer to `selectAdmission`. `entryLink` is the link if nothing else lets the person
 * in.
 */
export function readAdmission(
  [row]: { isAdmitted: 0 | 1; isByLink: 0 | 1 }[],
  link: string | undefined,
) {
  return {
    isAdmitted: row?.isAdmitted === 1,
    entryLink: row?.isByLink === 1 ? link : undefined,
  };
}
