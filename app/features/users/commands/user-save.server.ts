import { and, eq, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { account, passkey, session, user } from "../../../db/schema/schema.ts";
import { isLanguage } from "../../../i18n/languages.ts";
import { loginLink } from "../../../values/login-link.ts";
import { haveSameRoles, type RoleHolder, rolesOf } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import type { User } from "../list/user-queries.server.ts";
import type { UserInput } from "./input.ts";
import { prepareUserMail, rolesMail, type UserServices } from "./user-mail.server.ts";
import { attempt, type Result, userEvent } from "./user-record.server.ts";

/**
 * Creates a user, who gives their own name at onboarding, and sends an invitation mail in the same batch. The e-mail
 * counts as verified. Errors: `email_taken`, `listed_new_email` when it is in `ADMIN_EMAILS`: only its owner makes that
 * account, by signing in.
 */
export async function createUser(
  services: UserServices,
  actor: Actor,
  input: UserInput,
): Promise<Result> {
  const { db, baseUrl, sender } = services;
  if (services.adminEmails.includes(input.email)) return { ok: false, error: "listed_new_email" };
  const id = crypto.randomUUID();
  const now = actor.source.now();
  const invitation = await prepareUserMail(services, now, input.email, {
    kind: "user-added",
    inviter: sender,
    link: loginLink(baseUrl, input.email),
  });
  return attempt(id, async () => {
    // A trigger writes the audit event, because better-auth inserts users too.
    const [, rows] = await db.batch([
      db.insert(user).values({
        id,
        ...input,
        emailVerified: true,
        searchKey: searchKey(input.name, input.email),
        createdBy: actor.actorId,
        createdAt: now,
        updatedAt: now,
      }),
      invitation.statement,
    ]);
    invitation.deliver(rows);
    return true;
  });
}

/**
 * Updates name, e-mail and role of a user who is still at `version`. Equal values change nothing and leave no audit
 * record. Errors: `own_role`, `own_email`, `listed_email` when it is or was in `ADMIN_EMAILS`, `listed_admin` for a
 * demotion of a user whose e-mail is there, `email_domain` when the rules of who may come in refuse the new e-mail,
 * `last_admin`, `email_taken`, `conflict` when the user was changed meanwhile.
 */
export async function updateUser(
  services: UserServices,
  actor: Actor,
  before: User,
  input: UserInput & { version: number },
): Promise<Result> {
  const { name, email } = input;
  const keepsRole = haveSameRoles(before, input);
  const keepsEmail = email === before.email;
  const isSelf = before.id === actor.actorId;
  if (isSelf && !keepsRole) return { ok: false, error: "own_role" };
  // A manager cannot prove the new mailbox here, so a typing error would lock the manager out.
  if (isSelf && !keepsEmail) return { ok: false, error: "own_email" };
  if (keepsRole && keepsEmail && name === before.name) return { ok: true, id: before.id };
  // An e-mail of ADMIN_EMAILS makes an admin without a passkey, so only its own mailbox gives or takes it.
  const isListed = [before.email, email].some((one) => services.adminEmails.includes(one));
  if (!keepsEmail && isListed) return { ok: false, error: "listed_email" };
  const isDemotion = isAdmin(before) && !isAdmin(input);
  if (isDemotion && isListed) return { ok: false, error: "listed_admin" };
  if (!keepsEmail && !(await services.acceptsEmail(email))) {
    return { ok: false, error: "email_domain" };
  }
  return attempt(before.id, async () => {
    const isChanged = keepsEmail
      ? await saveUser(services, actor, before, input)
      : await changeEmail(services, actor, before, input);
    return isChanged || "conflict";
  });
}

function isAdmin(holder: RoleHolder): boolean {
  return rolesOf(holder).includes("admin");
}

type Change = UserInput & { version: number };

async function saveUser(services: UserServices, actor: Actor, before: User, change: Change) {
  const { db } = services;
  const mail = await prepareRolesMail(services, actor, before, change);
  const { isChanged, mailed } = await changeAndRecord(db, {
    change: updateRow({ db }, actor, before, change),
    event: userEvent(actor, "user.updated", before.id, detailsOf(before, change)),
    next: (isSaved) => ({ mailed: mail ? [mail.ifChanged(isSaved)] : [] }),
  });
  mail?.deliver(mailed.flat());
  return isChanged;
}

/** Prepares the mail about new roles; undefined when they do not change. */
async function prepareRolesMail(services: UserServices, actor: Actor, before: User, to: Change) {
  if (haveSameRoles(before, to)) return undefined;
  return prepareUserMail(services, actor.source.now(), to.email, rolesMail(services, to.role));
}

/**
 * Changes the e-mail in one batch: it counts as verified, every session and API key ends and both mailboxes get a mail.
 * Passkeys and linked accounts stay. The audit event holds their number, and the user's screen asks about them until
 * they are removed or kept.
 */
async function changeEmail(services: UserServices, actor: Actor, before: User, change: Change) {
  const { db, baseUrl } = services;
  const { id } = before;
  const now = actor.source.now();
  // The mailer looks up the language by the new e-mail, so the mail to the old one needs it here.
  const reader = isLanguage(before.language) ? before.language : services.language;
  const toOld = await prepareUserMail({ ...services, language: reader }, now, before.email, {
    kind: "email-replaced",
  });
  const toNew = await prepareUserMail(services, now, change.email, {
    kind: "email-assigned",
    link: loginLink(baseUrl, change.email),
  });
  const roles = await prepareRolesMail(services, actor, before, change);
  const details = JSON.stringify(detailsOf(before, change));
  const methods = sql`(SELECT count(*) FROM ${passkey} WHERE ${passkey.userId} = ${id})
    + (SELECT count(*) FROM ${account} WHERE ${account.userId} = ${id})`;
  const { isChanged, oldRows, newRows, roleRows } = await changeAndRecord(db, {
    change: updateRow({ db }, actor, before, change),
    event: userEvent(
      actor,
      "user.updated",
      id,
      // A user without sign-in methods has the count null, which `json_patch` omits.
      sql`json_patch(${details}, json_object('signInMethods', nullif(${methods}, 0)))`,
    ),
    next: (isSaved) => ({
      oldRows: toOld.ifChanged(isSaved),
      newRows: toNew.ifChanged(isSaved),
      roleRows: roles ? [roles.ifChanged(isSaved)] : [],
      sessions: db.delete(session).where(and(eq(session.userId, id), isSaved)),
      ofFeatures: services.endAccess(id, isSaved),
    }),
  });
  toOld.deliver(oldRows);
  toNew.deliver(newRows);
  roles?.deliver(roleRows.flat());
  return isChanged;
}

function updateRow(
  { db }: Pick<UserServices, "db">,
  actor: Actor,
  before: User,
  { name, email, role, version }: Change,
) {
  return db
    .update(user)
    .set({
      name,
      email,
      searchKey: searchKey(name, email),
      ...(email !== before.email && { emailVerified: true }),
      ...(!haveSameRoles(before, { role }) && { role }),
      updatedAt: actor.source.now(),
      version: version + 1,
    })
    .where(and(eq(user.id, before.id), eq(user.version, version), eq(user.email, before.email)));
}

function detailsOf(before: User, { name, email, role }: Change) {
  return {
    before: { name: before.name, email: before.email, role: before.role },
    after: { name, email, role },
  };
}
