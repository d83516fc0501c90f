import { and, ne, type SQL, sql } from "drizzle-orm";
import { href } from "react-router";
import { member, user } from "../../../db/schema/schema.ts";
import type { Language } from "../../../i18n/languages.ts";
import { DAY_MS } from "../../../values/time.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import type { OrganizationCall, Standing } from "../standing.server.ts";

const MAIL_DAYS = 7;

export type RoleMailServices = {
  mailer: Pick<Mailer, "prepareForUsers">;
  baseUrl: string;
  /** The name of the person who changes the role. */
  sender: string;
  /** The actor's language, for recipients without a saved language. */
  language: Language;
  /** Starts work after the answer is sent. */
  afterAnswer: (work: () => Promise<unknown>) => void;
};

/**
 * Prepares the mail about a new role to the members that a condition finds, except the actor. Put
 * the statement before the change in its batch. `deliver` wakes the sender after the answer.
 */
export async function prepareRoleMail(
  { mailer, baseUrl, sender, language, afterAnswer }: RoleMailServices,
  { actor, as }: OrganizationCall,
  { name, slug }: Pick<Standing, "name" | "slug">,
  { role, isChange }: { role: OrganizationRole; isChange: SQL | undefined },
) {
  const now = actor.source.now();
  const link = new URL(href("/app/organizations/:slug", { slug }), baseUrl).href;
  const mail = {
    language,
    expiresAt: new Date(now.getTime() + MAIL_DAYS * DAY_MS),
    message: { kind: "organization-role-changed", by: sender, organization: name, role, link },
    // Managers act for the site, and have no limit of their own.
    causedBy: as === "manager" ? null : actor.actorId,
  } as const;
  const isOther = ne(member.userId, actor.actorId);
  const which = sql`${user.id} IN (SELECT ${member.userId} FROM ${member} WHERE ${and(isChange, isOther)})`;
  const { statement, send } = await mailer.prepareForUsers(mail, which, now);
  return {
    statement,
    deliver: (rows: Parameters<typeof send>[0]) => afterAnswer(() => send(rows)),
  };
}
