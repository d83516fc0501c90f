import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import {
  accessDomain,
  admittedEmail,
  invitation,
  invitationLink,
  siteSetting,
  user,
} from "../../db/schema/schema.ts";
import { HAS_PLACE, isBySiteAdmin, isLinkOpen, isWaiting } from "../../db/waiting-invitation.ts";
import type { SignUpMode } from "./choices.ts";
import { domainOf, domainsAbove } from "./email-domain.ts";

/** What the environment says about sign-up. */
export type AdmissionConfig = {
  isDemo: boolean;
  signUpMode: SignUpMode;
  adminEmails: readonly string[];
};

/**
 * Returns an SQL condition: a person with this e-mail may get a sign-in code, and so an account.
 * People with an account and the e-mails of `ADMIN_EMAILS` always may; a demonstration accepts no
 * new accounts. The condition is part of the statement that needs the answer, so it costs no round
 * trip, and the same statement is sent for every e-mail. `link` is the id of the invitation link
 * that the person follows.
 */
export function admissionOf(
  config: AdmissionConfig,
  email: string,
  now: Date,
  link?: string | undefined,
): SQL {
  // Asked for every e-mail and setting, so that the time tells nothing.
  const isKnown = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.email} = ${email})`;
  if (config.isDemo) return isKnown;
  return sql`(
    ${isKnown}
    OR ${config.adminEmails.includes(email) ? sql`true` : sql`false`}
    OR ${newcomerAdmissionOf(config, email, now, link)}
  )`;
}

/**
 * Returns an SQL expression: the rule by which a person with this e-mail gets no sign-in code, or
 * NULL. Only managers are told.
 */
export function refusalRuleOf(
  config: AdmissionConfig,
  email: string,
  now: Date,
): SQL<"closed" | "not_invited" | "domain" | null> {
  const mode = sql`(SELECT coalesce(${siteSetting.signUpMode}, ${config.signUpMode}) FROM ${siteSetting})`;
  return sql`CASE
    WHEN ${admissionOf(config, email, now)} THEN NULL
    WHEN ${config.isDemo ? sql`true` : sql`false`} THEN 'closed'
    WHEN NOT ${rulesOf(email)} THEN 'domain'
    WHEN ${mode} = 'closed' THEN 'closed'
    ELSE 'not_invited' END`;
}

/** Returns an SQL condition: the settings let a person with this e-mail, who has no account yet, create one. */
function newcomerAdmissionOf(
  { signUpMode }: AdmissionConfig,
  email: string,
  now: Date,
  link?: string | undefined,
): SQL {
  const isInvited = sql`(
    EXISTS (
      SELECT 1 FROM ${invitation}
      WHERE ${isWaiting(email, now)} AND (${siteSetting.organizationsAdmit} OR ${isBySiteAdmin(now)})
    )
    OR EXISTS (SELECT 1 FROM ${admittedEmail} WHERE ${admittedEmail.email} = ${email})
    OR (${siteSetting.organizationsAdmit} AND ${link ? isLinkWithPlace(link, now) : sql`false`})
  )`;
  const fitsMode = sql`CASE coalesce(${siteSetting.signUpMode}, ${signUpMode})
    WHEN 'open' THEN true WHEN 'invitation' THEN ${isInvited} ELSE false END`;
  return sql`EXISTS (SELECT 1 FROM ${siteSetting} WHERE ${rulesOf(email)} AND ${fitsMode})`;
}

/** SQL condition: an invitation link leads into its organization, and has a place left. */
function isLinkWithPlace(link: string, now: Date): SQL {
  const isThis = eq(invitationLink.id, link);
  return sql`EXISTS (SELECT 1 FROM ${invitationLink} WHERE ${and(isThis, HAS_PLACE, isLinkOpen(now))})`;
}

/**
 * True when a person without an account could create one with this e-mail now. Does not tell whether the e-mail has an
 * account.
 */
export async function isNewcomerAdmitted(
  db: Db,
  config: AdmissionConfig,
  email: string,
  now: Date,
): Promise<boolean> {
  if (config.isDemo) return false;
  const isAdmitted = newcomerAdmissionOf(config, email, now).mapWith(Boolean);
  const [row] = await db.select({ isAdmitted: isAdmitted.as("is_admitted") }).from(siteSetting);
  return row?.isAdmitted ?? false;
}

/**
 * True when a user's e-mail may become this one: the rules accept its domain, or it is in `ADMIN_EMAILS`. The answer
 * depends on the domain alone, so it does not tell whether the e-mail has an account.
 */
export async function isEmailAccepted(
  db: Db,
  { isDemo, adminEmails }: AdmissionConfig,
  email: string,
): Promise<boolean> {
  if (isDemo || adminEmails.includes(email)) return true;
  const rows = await db
    .select({ version: siteSetting.version })
    .from(siteSetting)
    .where(rulesOf(email));
  return rows.length > 0;
}

/** Returns an SQL condition: the rules accept the domain of this e-mail. */
export function rulesOf(email: string): SQL {
  const domain = domainOf(email);
  const domains = JSON.stringify(domainsAbove(domain));
  const isAllowed = sql`(
    NOT EXISTS (SELECT 1 FROM ${accessDomain} WHERE ${accessDomain.rule} = 'allowed')
    OR EXISTS (
      SELECT 1 FROM ${accessDomain}
      WHERE ${accessDomain.rule} = 'allowed' AND ${accessDomain.domain} = ${domain}
    )
  )`;
  const isBlocked = sql`EXISTS (
    SELECT 1 FROM ${accessDomain}
    WHERE ${accessDomain.rule} = 'blocked'
      AND ${accessDomain.domain} IN (SELECT value FROM json_each(${domains}))
  )`;
  return sql`(${isAllowed} AND NOT ${isBlocked})`;
}

/** Returns those of some e-mails whose domain the rules refuse. `ADMIN_EMAILS` are no exception here. */
export async function findRefusedEmails(
  db: Db,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const domains = [...new Set(emails.map(domainOf))];
  const { domain, rule } = accessDomain;
  const [named, allowing] = await db.batch([
    db
      .select({ domain, rule })
      .from(accessDomain)
      .where(idsIn(domain, domains.flatMap(domainsAbove))),
    db.select({ domain }).from(accessDomain).where(eq(rule, "allowed")).limit(1),
  ]);
  const ruled = new Map(named.map((one) => [one.domain, one.rule]));
  const isRefused = (of: string) =>
    (allowing.length > 0 && ruled.get(of) !== "allowed") ||
    domainsAbove(of).some((one) => ruled.get(one) === "blocked");
  return new Set(emails.filter((email) => isRefused(domainOf(email))));
}
