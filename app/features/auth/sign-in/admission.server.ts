import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { siteSetting } from "../../../db/schema/schema.ts";

/** Returns an SQL condition: a person with this e-mail may get a sign-in code, and so an account. */
export type Admission = (email: string, now: Date) => SQL;

/** Query for an admission, alone or in a batch. `site_setting` has one row. */
export function selectAdmission(db: Db, admission: SQL) {
  return db.select({ isAdmitted: sql<0 | 1>`${admission}`.as("is_admitted") }).from(siteSetting);
}

/** Reads the answer to `selectAdmission`. */
export function isAdmittedBy(rows: { isAdmitted: 0 | 1 }[]): boolean {
  return rows[0]?.isAdmitted === 1;
}
