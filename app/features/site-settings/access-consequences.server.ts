import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { admittedEmail, invitation, organization, user } from "../../db/schema/schema.ts";
import { isBySiteAdmin, isValid } from "../../db/waiting-invitation.ts";
import { type Consequence, MOST_COUNTED } from "./access-consequences.ts";
import type { AccessEnvironment } from "./access-environment.ts";
import { lockedOutDomain } from "./access-values.ts";
import { AccessInput } from "./input.ts";

/** A person without an account who may create one, and who let them in. */
type Newcomer = { email: string; by: "site" | "organization" };

/** Reads the form's values as a URL has them. A field with an error keeps the value of before. */
export function readTyped(typed: string, before: AccessInput): AccessInput {
  const fields = [...new URLSearchParams(typed)].filter(([, value]) => value !== "");
  const { error } = AccessInput.safeParse(Object.fromEntries(fields));
  const wrong = error?.issues.map(({ path }) => path[0]) ?? [];
  const right = AccessInput.parse(
    Object.fromEntries(fields.filter(([name]) => !wrong.includes(name))),
  );
  const kept = Object.entries(before).filter(([name]) => wrong.includes(name));
  return { ...right, ...Object.fromEntries(kept) };
}

/**
 * Returns the consequences of saving other settings, to be shown before the save. Each number is
 * exact up to `MOST_COUNTED`.
 */
export async function findConsequences(
  db: Db,
  environment: AccessEnvironment,
  { before, after }: { before: AccessInput; after: AccessInput },
  { userId, now }: { userId: string; now: Date },
): Promise<Consequence[]> {
  const version = termsOf(environment, after);
  const isAsking = version !== undefined && version !== termsOf(environment, before);
  const isAsked = and(
    isNotNull(user.onboardedAt),
    sql`${user.termsVersion} IS NOT ${version ?? null}`,
    isAsking ? undefined : sql`false`,
  );
  const [invited, admitted, asked, self] = await db.batch([
    db
      .select({
        email: invitation.email,
        isBySite: isBySiteAdmin(now).mapWith(Boolean).as("is_by_site"),
      })
      .from(invitation)
      // With a second table in the query, Drizzle writes the table before each column. The
      // conditions need that.
      .innerJoin(organization, eq(organization.id, invitation.organizationId))
      .where(
        and(
          eq(invitation.status, "pending"),
          gt(invitation.expiresAt, now),
          isValid(now),
          sql`NOT EXISTS (SELECT 1 FROM ${user} WHERE ${user.email} = ${invitation.email})`,
        ),
      )
      .limit(MOST_COUNTED + 1),
    db
      .select({ email: admittedEmail.email })
      .from(admittedEmail)
      .limit(MOST_COUNTED + 1),
    // Stops at the first thousand. Only a version that many have accepted before makes it read on.
    db.select({ count: sql<number>`count(*)` }).from(
      db
        .select({ id: user.id })
        .from(user)
        .where(isAsked)
        .limit(MOST_COUNTED + 1)
        .as("asked"),
    ),
    db
      .select({ id: user.id })
      .from(user)
      .where(and(eq(user.id, userId), isAsked)),
  ]);
  const ends = (newcomer: Newcomer) =>
    admits(environment, before, newcomer) && !admits(environment, after, newcomer);
  const counts: Consequence[] = [
    {
      kind: "invitations",
      count: invited.filter(({ email, isBySite }) =>
        ends({ email, by: isBySite ? "site" : "organization" }),
      ).length,
    },
    {
      kind: "admitted",
      count: admitted.filter(({ email }) => ends({ email, by: "site" })).length,
    },
    { kind: self.length > 0 ? "termsAndYou" : "terms", count: asked[0]?.count ?? 0 },
  ];
  return counts.filter(({ count }) => count > 0);
}

/** True when the settings let this person create an account, as `admissionOf` asks the database. */
function admits(
  { signUpMode, adminEmails }: AccessEnvironment,
  settings: AccessInput,
  { email, by }: Newcomer,
): boolean {
  if (adminEmails.includes(email)) return true;
  if (lockedOutDomain(settings, email) !== undefined) return false;
  const mode = settings.signUpMode ?? signUpMode;
  if (mode !== "invitation") return mode === "open";
  return by === "site" || settings.organizationsAdmit;
}

/** Returns the version of the terms that would be in force, as `settingsInForce` does. */
function termsOf({ terms }: AccessEnvironment, settings: AccessInput): string | undefined {
  const hasLink = settings.termsUrl ?? terms.url;
  return hasLink ? (settings.termsVersion ?? terms.version) : undefined;
}
