import { inArray } from "drizzle-orm";
import { user } from "../../db/schema/schema.ts";
import { changeEach } from "../../lists/bulk-change.ts";
import type { BulkReport } from "../../lists/bulk-report.ts";
import { describeError, log } from "../../runtime/log.ts";
import type { MessageReference } from "../../ui/message.tsx";
import { rolesOf } from "../access/permissions.ts";
import type { Actor } from "../audit/audit.server.ts";
import type { UsersChange } from "./bulk-input.ts";
import { banUser, deleteUser, unbanUser } from "./user-commands.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { statusOf, type User } from "./user-queries.server.ts";
import { updateUser } from "./user-save.server.ts";

const DONE = {
  ban: "users:bulk.banned",
  unban: "users:bulk.unbanned",
  delete: "users:bulk.deleted",
  "set-role": "users:bulk.roleSet",
} as const satisfies Record<UsersChange["intent"], string>;

/**
 * Applies one change to many users. Each runs through the same command as on the user's own screen, so the same rules
 * hold and the same audit event is written. Users that are gone or already in the wanted state are reported as
 * refused.
 */
export async function changeUsers(
  services: UserServices,
  actor: Actor,
  change: UsersChange,
): Promise<BulkReport> {
  const rows = await services.db.select().from(user).where(inArray(user.id, change.id));
  const items = await changeEach(change.id, {
    rows,
    nameOf: ({ name, email }) => name || email,
    detailOf: ({ email }) => email,
    gone: "users:bulk.gone",
    change: (row) => changeOne(services, actor, row, change),
    onFailure: (error) =>
      log("error", "request.failed", { request: actor.source.id, ...describeError(error) }),
  });
  return { done: DONE[change.intent], items };
}

/** Returns the reason when the change was refused. */
async function changeOne(
  services: UserServices,
  actor: Actor,
  row: User,
  change: UsersChange,
): Promise<MessageReference | undefined> {
  const { db } = services;
  const { id, name, email, version } = row;
  const isBanned = statusOf(row, actor.source.now()) === "banned";
  switch (change.intent) {
    case "ban": {
      if (isBanned) return "users:bulk.alreadyBanned";
      const { reason, duration } = change;
      const ban = { id, reason, duration, until: undefined };
      return refusalOf(await banUser(db, actor, ban), "users:bulk.gone");
    }
    case "unban":
      if (!isBanned) return "users:bulk.notBanned";
      return refusalOf(await unbanUser(db, actor, id), "users:bulk.notBanned");
    case "delete":
      return refusalOf(await deleteUser(db, actor, id), "users:bulk.gone");
    case "set-role": {
      const { role } = change;
      if (rolesOf(row)[0] === role) return "users:bulk.sameRole";
      const input = { name, email, role, version };
      return refusalOf(await updateUser(services, actor, row, input), "users:refusal.conflict");
    }
  }
}

/** Message of a refusal. `nothing` is the message for "there was nothing to change". */
function refusalOf(
  result: { ok: true } | { ok: false; error: string },
  nothing: MessageReference,
): MessageReference | undefined {
  if (result.ok) return undefined;
  const isNothing = ["conflict", "not_found", "not_banned"].includes(result.error);
  return isNothing ? nothing : `users:refusal.${result.error}`;
}
